/**
 * Parked events of a context.
 *
 * A *parked* event is one that failed every retry and waits for the operator; other systems call it
 * dead-lettered. A received event is parked in the table `parked_events`, with its content as it
 * arrived. An event that could not be delivered stays in `outbox` with `parked_at` set. The operator
 * lists, inspects, replays and drops both kinds (docs/operator.md).
 */
import { createHash } from 'node:crypto';
import {
  type Context,
  Failure,
  type Page,
  type PageRequest,
  type ParkedEvent,
  type ParkedEventSummary,
} from '@registrar/contracts';
import {
  type Database,
  decodeCursor,
  encodeCursor,
  sql,
  timestampOf,
} from '@registrar/persistence';
import * as z from 'zod';

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

const parkedAt = timestampOf(sql`parked_at`);

const summaryRow = z.object({
  id: z.string(),
  event: z.string().nullable(),
  attempts: z.number(),
  parked_at: z.string(),
  reason: z.string(),
});
const contentRow = z.object({ content: z.instanceof(Buffer) });

const receivedAndOutgoing = sql`
  SELECT 'in' AS direction, id, event, attempts, parked_at, reason FROM parked_events
  UNION ALL
  SELECT 'out', id, name, attempts, parked_at, parked_reason FROM outbox
  WHERE parked_at IS NOT NULL`;

/** Returns a page of the parked events of a context, oldest first. */
export async function listParked(
  database: Database,
  context: Context,
  { cursor, limit }: PageRequest,
): Promise<Page<ParkedEventSummary>> {
  const offset = decodeCursor(cursor);
  const rows = await database.many(
    summaryRow,
    sql`SELECT direction || '-' || id AS id, event, attempts, ${parkedAt} AS parked_at, reason
        FROM (${receivedAndOutgoing}) AS parked
        ORDER BY parked.parked_at, direction, parked.id
        OFFSET ${offset} LIMIT ${limit + 1}`,
  );
  const items = rows.slice(0, limit).map((row) => ({ ...row, context }));
  return { items, next: rows.length > limit ? encodeCursor(offset + limit) : null };
}

/**
 * Returns a parked event with its content.
 *
 * @throws {Failure} `not-found` when there is no such parked event
 */
export async function inspectParked(
  database: Database,
  context: Context,
  id: string,
): Promise<ParkedEvent> {
  const { direction, number } = parseParkedId(id);
  const source =
    direction === 'in'
      ? sql`SELECT * FROM parked_events`
      : sql`SELECT id, name AS event, attempts, parked_at, parked_reason AS reason,
                   convert_to(payload::text, 'UTF8') AS content
            FROM outbox WHERE parked_at IS NOT NULL`;
  const row = await database.maybeOne(
    summaryRow.extend(contentRow.shape),
    sql`SELECT ${id}::text AS id, event, attempts, ${parkedAt} AS parked_at, reason, content
        FROM (${source}) AS parked WHERE parked.id = ${number}`,
  );
  if (!row) throw notFound(id);
  const { content, ...summary } = row;
  const text = content.toString('utf8');
  const isText = Buffer.from(text).equals(content);
  return {
    ...summary,
    context,
    message: isText ? text : content.toString('base64'),
    encoding: isText ? 'utf8' : 'base64',
  };
}

/**
 * Deletes a parked message that was received, and returns its content.
 *
 * @throws {Failure} `not-found` when there is no such parked message
 */
export async function takeReceived(database: Database, number: string): Promise<Buffer> {
  const row = await database.maybeOne(
    contentRow,
    sql`DELETE FROM parked_events WHERE id = ${number} RETURNING content`,
  );
  if (!row) throw notFound(`in-${number}`);
  return row.content;
}

/**
 * Makes a parked event of the outbox due again, with its attempts reset.
 *
 * @throws {Failure} `not-found` when there is no such parked event
 */
export async function replayOutgoing(database: Database, number: string): Promise<void> {
  const replayed = await database.execute(
    sql`UPDATE outbox
        SET parked_at = NULL, parked_reason = NULL, attempts = 0, next_attempt_at = now()
        WHERE id = ${number} AND parked_at IS NOT NULL`,
  );
  if (replayed === 0) throw notFound(`out-${number}`);
}

/**
 * Deletes a parked event.
 *
 * @throws {Failure} `not-found` when there is no such parked event
 */
export async function dropParked(database: Database, id: string): Promise<void> {
  const { direction, number } = parseParkedId(id);
  if (direction === 'in') return void (await takeReceived(database, number));
  const dropped = await database.execute(
    sql`DELETE FROM outbox WHERE id = ${number} AND parked_at IS NOT NULL`,
  );
  if (dropped === 0) throw notFound(id);
}

/** Splits the id of a parked event, such as `in-7`: received (`in`) or outgoing (`out`), and a number. */
export function parseParkedId(id: string): { direction: 'in' | 'out'; number: string } {
  const [direction, number] = id.split('-') as ['in' | 'out', string];
  return { direction, number };
}

const notFound = (id: string) => new Failure('not-found', `no parked event ${id}`);
