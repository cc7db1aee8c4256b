import { type Database, sql } from '@registrar/persistence';
import { clock, runInRequestContext, withDeadline } from '@registrar/platform';
import { ArrivedEvents } from './arrived-events.ts';
import type { EventOutcome } from './bus-metrics.ts';
import { inProcessSpan } from './event-spans.ts';
import type { BusServer } from './bus-server.ts';
import type { ArrivingEvent } from './event-message.ts';
import { pruneRows } from './prune-rows.ts';

/** The time limit for the handlers of one event: milliseconds. */
const handlingTimeoutMs = 30_000;

/** The retention of message ids, longer than any event can be under way: days. */
const retentionDays = 14;

/** Handles an event in one transaction with its inbox row, and discards a duplicate. */
export const handleOnce = (
  database: Database,
  server: BusServer,
  event: ArrivingEvent,
): Promise<void> =>
  inHandling(server, event, (deadline) =>
    server.eventDelivery(event.name) === 'together'
      ? handleByStatement(database, server, [event], deadline)
      : handleInTransaction(database, server, event, deadline),
  );

/**
 * Handles events of one name by one statement with their inbox rows, and discards duplicates. When
 * that fails, handles each alone, so that only the one at fault fails.
 *
 * @returns the outcomes in the order of `events`
 */
export function handleTogether(
  database: Database,
  server: BusServer,
  events: readonly ArrivingEvent[],
): Promise<PromiseSettledResult<void>[]> {
  let started: Promise<ReadonlySet<string>> | undefined;
  return Promise.allSettled(
    events.map((event) => {
      if (events.length === 1) return handleOnce(database, server, event);
      return inHandling(server, event, (deadline) => {
        started ??= handleByStatement(database, server, events, deadline);
        return started.catch(() => handleByStatement(database, server, [event], deadline));
      });
    }),
  );
}

/**
 * Runs `handle` in the request context and the span of an event, and counts the outcome.
 *
 * @param handle resolves with the ids of the messages that were handled; others are duplicates
 */
async function inHandling(
  server: BusServer,
  event: ArrivingEvent,
  handle: (deadline: number) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const { name, messageId, requestId } = event;
  const deadline = clock.now() + handlingTimeoutMs;
  let outcome: EventOutcome = 'failed';
  try {
    outcome = await runInRequestContext({ requestId, deadline }, () =>
      inProcessSpan(event, async () =>
        (await handle(deadline)).has(messageId) ? 'handled' : 'duplicate',
      ),
    );
  } finally {
    server.metrics.countEvent(name, outcome);
  }
}

/** Returns the id of the message, unless it is a duplicate. */
function handleInTransaction(
  database: Database,
  server: BusServer,
  event: ArrivingEvent,
  deadline: number,
): Promise<ReadonlySet<string>> {
  const { messageId, name } = event;
  return database.transaction(async () => {
    const inserted = await database.execute(
      sql`INSERT INTO inbox (message_id) VALUES (${messageId}) ON CONFLICT DO NOTHING`,
    );
    if (inserted === 0) return new Set<string>();
    await withDeadline(server.dispatchEvent(event), deadline, name);
    return new Set([messageId]);
  });
}

/** Returns the ids of the messages that are no duplicates. */
async function handleByStatement(
  database: Database,
  server: BusServer,
  events: readonly ArrivingEvent[],
  deadline: number,
): Promise<ReadonlySet<string>> {
  const [first] = events;
  if (!first) return new Set();
  const arrived = new ArrivedEvents(database, events);
  await withDeadline(server.dispatchEvent(first, arrived), deadline, first.name);
  return arrived.inserted;
}

/** Deletes a batch of expired message ids; resolves with whether there may be more. */
export const pruneInbox = (database: Database): Promise<boolean> =>
  pruneRows(database, 'inbox', sql`handled_at < now() - make_interval(days => ${retentionDays})`);
