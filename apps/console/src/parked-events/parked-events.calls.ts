import {
  type Context,
  Failure,
  type ParkedEventSummary,
  parkedEventId,
  parkedEventRequests,
} from '@registrar/contracts';
import * as z from 'zod';
import { callPage, installationCall } from '../calls/define-call.ts';

const contexts = Object.keys(parkedEventRequests).toSorted() as Context[];
const context = z.enum(contexts);

/** A place in the list: an app, and the cursor of its own list. */
const place = z.tuple([context, z.string().max(400).nullable()]);

/** @throws {Failure} `invalid` for a cursor of another list, or of another app than the only one that is listed */
function placeOf(cursor: string | null, only: Context | null): z.output<typeof place> | null {
  if (cursor === null) return null;
  const [app, own] = cursor.split(' ', 2);
  const { success, data } = place.safeParse([app, own ?? null]);
  if (!success || (only !== null && data[0] !== only)) {
    throw new Failure('invalid', 'malformed cursor');
  }
  return data;
}

const cursorOf = ([app, own]: z.output<typeof place>): string =>
  own === null ? app : `${app} ${own}`;

/**
 * The parked events of one app, or of all apps: app after app by name, and of each app the oldest first. An app that
 * does not reply is left out, and `away` has its name.
 */
export const listParkedEvents = installationCall({
  live: 5,
  input: z.object({ ...callPage, context: context.nullable().default(null) }),
  handle: async ({ bus }, { context: wanted, cursor, limit }) => {
    const begin = placeOf(cursor, wanted);
    const items: ParkedEventSummary[] = [];
    const away: Context[] = [];
    const later = contexts.filter((each) => begin === null || each >= begin[0]);
    for (const each of wanted === null ? later : [wanted]) {
      if (items.length === limit) return { items, next: cursorOf([each, null]), away };
      const own = begin?.[0] === each ? begin[1] : null;
      const page = await bus
        .page(parkedEventRequests[each].list, {}, { cursor: own, limit: limit - items.length })
        .catch((error: unknown) => {
          if (own !== null && error instanceof Failure && error.code === 'invalid') throw error;
          return null;
        });
      if (page === null) away.push(each);
      else items.push(...page.items);
      if (page?.next != null) return { items, next: cursorOf([each, page.next]), away };
    }
    return { items, next: null, away };
  },
});

const ofOne = z.object({ context, id: parkedEventId });

/** A parked event with its content, which may have personal data. */
export const inspectParkedEvent = installationCall({
  input: ofOne,
  handle: ({ bus }, { context: app, id }) => bus.request(parkedEventRequests[app].inspect, { id }),
});

/** Handles a received event again, or sends an outgoing one again. */
export const replayParkedEvent = installationCall({
  changes: true,
  input: ofOne,
  handle: ({ bus }, { context: app, id }) => bus.request(parkedEventRequests[app].replay, { id }),
});

/** Deletes a parked event. */
export const discardParkedEvent = installationCall({
  changes: true,
  input: ofOne,
  handle: ({ bus }, { context: app, id }) => bus.request(parkedEventRequests[app].drop, { id }),
});
