import { type Database, sql } from '@registrar/persistence';
import { withDeadline, runInRequestContext, traceContextSchema } from '@registrar/platform';
import * as z from 'zod';
import type { EventOutcome } from './bus-metrics.ts';
import { inProcessSpan } from './bus-spans.ts';
import { pruneRows } from './prune-rows.ts';
import type { BusServer } from './bus-server.ts';

/** An event as its subscriber receives it. */
export const arrivingEvent = z.object({
  messageId: z.uuid(),
  name: z.string(),
  payload: z.unknown(),
  requestId: z.string(),
  /** The span that published the event. */
  trace: traceContextSchema.nullish(),
});
export type ArrivingEvent = Readonly<z.infer<typeof arrivingEvent>>;

/** An event in an outbox. */
export interface OutgoingEvent extends ArrivingEvent {
  /** The contexts that must handle it. */
  readonly subscribers: readonly string[];
  /** The apps that receive it as a broadcast. */
  readonly listeners: readonly string[];
}

/** Whether an app is the context that publishes an event. */
export const isPublishedBy = ({ name }: ArrivingEvent, app: string): boolean =>
  name.startsWith(`${app}.`);

/** The time limit for the handlers of one event: milliseconds. */
const handlingTimeoutMs = 30_000;

/** The retention of message ids, longer than any event can be under way: days. */
const retentionDays = 14;

/** Handles an event in one transaction with its inbox row, and discards a duplicate. */
export async function handleOnce(
  database: Database,
  server: BusServer,
  event: ArrivingEvent,
): Promise<void> {
  const context = { requestId: event.requestId, deadline: Date.now() + handlingTimeoutMs };
  let outcome: EventOutcome = 'failed';
  try {
    outcome = await runInRequestContext(context, () =>
      inProcessSpan(event, () =>
        database.transaction(async () => {
          const inserted = await database.execute(
            sql`INSERT INTO inbox (message_id) VALUES (${event.messageId}) ON CONFLICT DO NOTHING`,
          );
          if (inserted === 0) return 'duplicate';
          await withDeadline(server.dispatchEvent(event), context.deadline, event.name);
          return 'handled';
        }),
      ),
    );
  } finally {
    server.metrics.countEvent(event.name, outcome);
  }
}

/** Deletes a batch of expired message ids; resolves with whether there may be more. */
export const pruneInbox = (database: Database): Promise<boolean> =>
  pruneRows(database, 'inbox', sql`handled_at < now() - make_interval(days => ${retentionDays})`);
