/**
 * Parked events of a context.
 *
 * A *parked* event is one that failed every retry and waits for the operator; other systems call it
 * dead-lettered. A received event is parked in the table `parked_events`, with its content as it
 * arrived. An event that could not be delivered stays in `outbox` with `parked_at` set. The
 * operator lists, inspects, replays and drops both kinds (docs/operator.md).
 */
import { createHash } from 'node:crypto';
import { type Database, sql } from '@registrar/persistence';

/** A received message whose handling was given up. It need not be a well-formed event. */
export interface UnhandledMessage {
  /** The message id of the broker; null if the sender set none. */
  readonly messageId: string | null;
  /** The name of the event; null if the content is not an event. */
  readonly event: string | null;
  readonly content: Buffer;
  /** The number of failed attempts. */
  readonly attempts: number;
  readonly reason: string;
}

/** The length at which names and reasons are cut off: characters. */
const textLimit = 1_000;

/** Parks a received message. A message that is parked already is left as it is. */
export async function parkMessage(database: Database, message: UnhandledMessage): Promise<void> {
  const { content, event, attempts, reason } = message;
  const messageId = message.messageId ?? createHash('sha256').update(content).digest('hex');
  await database.execute(
    sql`INSERT INTO parked_events (message_id, event, content, attempts, reason)
        VALUES (${storable(messageId)}, ${event && storable(event)}, ${content}, ${attempts},
                ${storable(reason)})
        ON CONFLICT (message_id) DO NOTHING`,
  );
}

/** Removes NUL, which PostgreSQL's `text` does not allow, and shortens the text to the limit. */
const storable = (text: string) => text.replaceAll('\0', '').slice(0, textLimit);
