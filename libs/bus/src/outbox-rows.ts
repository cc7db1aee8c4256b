import { type Database, raw, sql } from '@registrar/persistence';
import { traceContextSchema } from '@registrar/platform';
import * as z from 'zod';
import { arrivingEvent } from './event-message.ts';
import type { nextAttempt } from './retry-ladder.ts';

/** The number of events that a relay takes and delivers together. */
const batchSize = 100;

const takenEvent = arrivingEvent.extend({
  id: z.number(),
  subscribers: z.array(z.string()),
  listeners: z.array(z.string()),
  trace: traceContextSchema.nullable(),
  createdAt: z.string(),
  /** The number of failed deliveries. */
  attempts: z.number(),
});

/** An event that the current transaction has taken: no other replica delivers it. */
export type TakenEvent = Readonly<z.output<typeof takenEvent>>;

/**
 * Takes a batch of due events, oldest first, out of the outbox, in the current transaction. It commits when they are
 * delivered. When it is rolled back, also by the death of the process, the events are in the outbox as before.
 */
export async function takeEvents(
  database: Database,
): Promise<{ events: TakenEvent[]; more: boolean }> {
  const events = await database.many(
    takenEvent,
    sql`DELETE FROM outbox
        WHERE id = ANY (ARRAY(
          SELECT id FROM outbox WHERE parked_at IS NULL AND next_attempt_at <= now()
          ORDER BY id LIMIT ${raw(String(batchSize))} FOR UPDATE SKIP LOCKED
        ))
        RETURNING id, message_id AS "messageId", name, payload, request_id AS "requestId",
                  trace, subscribers, listeners, created_at::text AS "createdAt", attempts`,
  );
  const more = events.length === batchSize;
  return { events: events.toSorted((one, other) => one.id - other.id), more };
}

/** Puts events that could not be delivered back into the outbox, postponed or parked (`nextAttempt`). */
export async function postponeEvents(
  database: Database,
  events: readonly (TakenEvent & ReturnType<typeof nextAttempt>)[],
): Promise<void> {
  await database.execute(
    sql`INSERT INTO outbox (id, message_id, name, payload, subscribers, listeners, request_id, trace, created_at,
                            attempts, next_attempt_at, parked_at, parked_reason)
        OVERRIDING SYSTEM VALUE
        SELECT id, "messageId", name, payload, subscribers, listeners, "requestId", trace, "createdAt", attempts,
               now() + coalesce("delayMs", 0) * interval '1 ms',
               CASE WHEN "delayMs" IS NULL THEN now() END,
               CASE WHEN "delayMs" IS NULL THEN reason END
        FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
          AS r (id bigint, "messageId" uuid, name text, payload jsonb, subscribers text[], listeners text[],
                "requestId" text, trace jsonb, "createdAt" timestamptz, attempts integer, "delayMs" integer,
                reason text)`,
  );
}
