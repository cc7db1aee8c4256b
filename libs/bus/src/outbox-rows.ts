import type { Database } from '#libs/persistence';
import type { OutgoingEvent } from './inbox.ts';

/** How many events a relay takes at a time. */
const batchSize = 100;

/**
 * How long a relay may have them in hand, longer than any event is handled: seconds. Only one that
 * froze takes longer: PostgreSQL ends its transaction then.
 */
export const inHandSeconds = 60;

/** An event that this relay, and no other, may pass on until its transaction ends. */
export interface LockedEvent extends OutgoingEvent {
  readonly id: string;
  /** How often it has failed before. */
  readonly attempts: number;
}

/**
 * Takes due events, in their order, for the current transaction: whatever ends that, the death of
 * the relay too, gives those to other replicas that it has not removed.
 */
export async function lockEvents(
  database: Database,
): Promise<{ events: LockedEvent[]; more: boolean }> {
  const events = await database.query<LockedEvent>(
    `SELECT id, message_id AS "messageId", name, payload, request_id AS "requestId",
            trace, subscribers, attempts
     FROM outbox WHERE parked_at IS NULL AND next_attempt_at <= now()
     ORDER BY id LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`,
  );
  if (events.length > 0) {
    await database.query(`SET LOCAL idle_in_transaction_session_timeout = '${inHandSeconds} s'`);
  }
  return { events, more: events.length === batchSize };
}

export async function removeEvents(
  database: Database,
  events: readonly { id: string }[],
): Promise<void> {
  await database.query('DELETE FROM outbox WHERE id = ANY($1)', [events.map(({ id }) => id)]);
}

/** An event that could not be delivered: when it is tried again, in milliseconds; null parks it. */
export interface Postponement {
  readonly id: string;
  readonly attempts: number;
  readonly delay: number | null;
  readonly reason: string;
}

export async function postponeEvents(
  database: Database,
  events: readonly Postponement[],
): Promise<void> {
  await database.query(
    `UPDATE outbox AS o
     SET attempts = p.attempts,
         next_attempt_at = now() + coalesce(p.delay, 0) * interval '1 ms',
         parked_at = CASE WHEN p.delay IS NULL THEN now() END,
         parked_reason = CASE WHEN p.delay IS NULL THEN p.reason END
     FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[])
       AS p (id, attempts, delay, reason)
     WHERE o.id = p.id`,
    [
      events.map(({ id }) => id),
      events.map(({ attempts }) => attempts),
      events.map(({ delay }) => delay),
      events.map(({ reason }) => reason),
    ],
  );
}
