import { createHash } from 'node:crypto';
import { type Context, Failure, type ParkedEvent, type ParkedSummary } from '#libs/contracts';
import { type Database, decodeCursor, encodeCursor } from '#libs/persistence';
import type { Page, PageRequest } from '#libs/contracts';

/** A message that a context could not handle, whatever it is. */
export interface UnhandledMessage {
  /** Null when its sender gave it none. */
  readonly messageId: string | null;
  readonly event: string | null;
  readonly content: Buffer;
  readonly attempts: number;
  readonly reason: string;
}

/** How much of a reason, and of a name, is kept: characters. */
const longest = 1_000;

/** Keeps a message for the operator; the same message once. */
export async function park(database: Database, message: UnhandledMessage): Promise<void> {
  const { messageId, content, event, attempts, reason } = message;
  const known = messageId ?? createHash('sha256').update(content).digest('hex');
  await database.query(
    `INSERT INTO parked_events (message_id, event, content, attempts, reason)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (message_id) DO NOTHING`,
    [keepable(known), event && keepable(event), content, attempts, keepable(reason)],
  );
}

/** PostgreSQL's text holds no NUL, and a message may say what it likes. */
const keepable = (text: string) => text.replaceAll('\0', '').slice(0, longest);

/** As the records of the API show times. */
const time = `to_char(parked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Both ways in one list, by when they were parked. */
const all = `
  SELECT 'in' AS way, id, event, attempts, parked_at, reason FROM parked_events
  UNION ALL
  SELECT 'out', id, name, attempts, parked_at, parked_reason FROM outbox
  WHERE parked_at IS NOT NULL`;

/** What a context has parked, the oldest first. */
export async function listParked(
  database: Database,
  context: Context,
  { cursor, limit }: PageRequest,
): Promise<Page<ParkedSummary>> {
  const offset = decodeCursor(cursor);
  const rows = await database.query<Omit<ParkedSummary, 'context'>>(
    `SELECT way || '-' || id AS id, event, attempts, ${time} AS parked_at, reason
     FROM (${all}) AS parked ORDER BY parked.parked_at, way, parked.id OFFSET $1 LIMIT $2`,
    [offset, limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => ({ ...row, context }));
  return { items, next: rows.length > limit ? encodeCursor(offset + limit) : null };
}

/** @throws {Failure} `not-found` */
export async function inspectParked(
  database: Database,
  context: Context,
  id: string,
): Promise<ParkedEvent> {
  const { way, number } = parse(id);
  const [row] = await database.query<Omit<ParkedSummary, 'context'> & { content: Buffer }>(
    `SELECT $1::text AS id, event, attempts, ${time} AS parked_at, reason, content
     FROM (${
       way === 'in'
         ? 'SELECT * FROM parked_events'
         : `SELECT id, name AS event, attempts, parked_at, parked_reason AS reason,
                   convert_to(payload::text, 'UTF8') AS content
            FROM outbox WHERE parked_at IS NOT NULL`
     }) AS parked WHERE parked.id = $2`,
    [id, number],
  );
  if (!row) throw unknown(id);
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

/** Takes a message that came in out of the place to park. @throws {Failure} `not-found` */
export async function takeParked(database: Database, number: string): Promise<Buffer> {
  const [row] = await database.query<{ content: Buffer }>(
    'DELETE FROM parked_events WHERE id = $1 RETURNING content',
    [number],
  );
  if (!row) throw unknown(`in-${number}`);
  return row.content;
}

/** Lets the relay try an event again. @throws {Failure} `not-found` */
export async function sendAgain(database: Database, number: string): Promise<void> {
  const sent = await database.query(
    `UPDATE outbox
     SET parked_at = NULL, parked_reason = NULL, attempts = 0, next_attempt_at = now()
     WHERE id = $1 AND parked_at IS NOT NULL RETURNING id`,
    [number],
  );
  if (sent.length === 0) throw unknown(`out-${number}`);
}

/** @throws {Failure} `not-found` */
export async function dropParked(database: Database, id: string): Promise<void> {
  const { way, number } = parse(id);
  if (way === 'in') return void (await takeParked(database, number));
  const dropped = await database.query(
    'DELETE FROM outbox WHERE id = $1 AND parked_at IS NOT NULL RETURNING id',
    [number],
  );
  if (dropped.length === 0) throw unknown(id);
}

export function parse(id: string): { way: 'in' | 'out'; number: string } {
  const [way, number] = id.split('-') as ['in' | 'out', string];
  return { way, number };
}

const unknown = (id: string) => new Failure('not-found', `no parked event ${id}`);
