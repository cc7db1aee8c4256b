import type { Database } from '#libs/persistence';
import type { OutgoingEvent } from './inbox.ts';

/** How many events a relay takes at a time. */
const batchSize = 100;

/** How long a claim keeps other replicas away, longer than any event is handled: seconds. */
const claimSeconds = 60;

/** An event that this relay, and for a while no other, may pass on. */
export interface ClaimedEvent extends OutgoingEvent {
  readonly id: string;
  /** How often it has failed before. */
  readonly attempts: number;
}

/** Takes due events, in their order, for a while: another replica gets those that never come back. */
export async function claimEvents(
  database: Database,
): Promise<{ events: ClaimedEvent[]; more: boolean }> {
  const events = await database.query<ClaimedEvent>(
    `UPDATE outbox SET next_attempt_at = now() + interval '${claimSeconds} s'
     WHERE id IN (
       SELECT id FROM outbox WHERE parked_at IS NULL AND next_attempt_at <= now()
       ORDER BY id LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
     )
     RETURNING id, message_id AS "messageId", name, payload, request_id AS "requestId",
               subscribers, attempts`,
  );
  const inOrder = events.sort((one, other) => Number(one.id) - Number(other.id));
  return { events: inOrder, more: events.length === batchSize };
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
