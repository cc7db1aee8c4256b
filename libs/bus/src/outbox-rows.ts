import { type Database, raw, sql } from '@registrar/persistence';
import { traceContextSchema } from '@registrar/platform';
import * as z from 'zod';
import { arrivingEvent } from './event-message.ts';

/** The number of events that a relay locks and delivers together. */
const batchSize = 100;

/**
 * The time that a relay may hold its locks, longer than any event is handled: seconds. PostgreSQL
 * then ends the transaction of a relay that hangs.
 */
export const relayTimeoutSeconds = 60;

const lockedEvent = arrivingEvent.extend({
  id: z.number(),
  subscribers: z.array(z.string()),
  listeners: z.array(z.string()),
  trace: traceContextSchema.nullable(),
  /** The number of failed deliveries. */
  attempts: z.number(),
});

/** An event that is locked by the current transaction: no other replica delivers it. */
export type LockedEvent = Readonly<z.output<typeof lockedEvent>>;

/**
 * Locks a batch of due events, oldest first, for the current transaction. When the transaction ends,
 * also by the death of the process, other replicas can lock the events that were not removed.
 */
export async function lockEvents(
  database: Database,
): Promise<{ events: LockedEvent[]; more: boolean }> {
  const events = await database.many(
    lockedEvent,
    sql`SELECT id, message_id AS "messageId", name, payload, request_id AS "requestId",
               trace, subscribers, listeners, attempts
        FROM outbox WHERE parked_at IS NULL AND next_attempt_at <= now()
        ORDER BY id LIMIT ${raw(String(batchSize))} FOR UPDATE SKIP LOCKED`,
  );
  if (events.length > 0) {
    await database.execute(
      sql`SET LOCAL idle_in_transaction_session_timeout = '${raw(String(relayTimeoutSeconds))} s'`,
    );
  }
  return { events, more: events.length === batchSize };
}

/** Deletes delivered events. */
export async function removeEvents(
  database: Database,
  events: readonly { id: number }[],
): Promise<void> {
  const ids = events.map(({ id }) => id);
  await database.execute(sql`DELETE FROM outbox WHERE id = ANY(${ids})`);
}

/** The next attempt at an event that could not be delivered. */
export interface Postponement {
  readonly id: number;
  readonly attempts: number;
  /** Milliseconds until the next attempt; null parks the event. */
  readonly delayMs: number | null;
  readonly reason: string;
}

/** Postpones or parks events that could not be delivered. */
export async function postponeEvents(
  database: Database,
  events: readonly Postponement[],
): Promise<void> {
  await database.execute(
    sql`UPDATE outbox AS o
        SET attempts = p.attempts,
            next_attempt_at = now() + coalesce(p.delay, 0) * interval '1 ms',
            parked_at = CASE WHEN p.delay IS NULL THEN now() END,
            parked_reason = CASE WHEN p.delay IS NULL THEN p.reason END
        FROM unnest(${events.map(({ id }) => id)}::bigint[],
                    ${events.map(({ attempts }) => attempts)}::integer[],
                    ${events.map(({ delayMs }) => delayMs)}::integer[],
                    ${events.map(({ reason }) => reason)}::text[])
          AS p (id, attempts, delay, reason)
        WHERE o.id = p.id`,
  );
}
