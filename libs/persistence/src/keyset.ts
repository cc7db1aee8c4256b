import { Failure, type Page, type PageRequest } from '@registrar/contracts';
import { join, raw, sql, type Sql } from './sql.ts';

/** The cursor of a text. Opaque to clients; it is a position alone, and opens nothing. */
export const toCursor = (text: string): string => Buffer.from(text).toString('base64url');

/**
 * The parts of a cursor's text that the groups of `form` match.
 *
 * @throws {Failure} `invalid` when it does not match
 */
export function fromCursor(cursor: string, form: RegExp): string[] {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const parts = form.exec(text);
  if (!parts || toCursor(text) !== cursor) throw new Failure('invalid', 'malformed cursor');
  return parts.slice(1);
}

/** The cursor of the page that starts after `id`, in a list ordered by id. */
export const encodeCursor = (id: number): string => toCursor(String(id));

/** The id that a page starts after; 0 for the first page. @throws {Failure} `invalid` */
export const decodeCursor = (cursor: string | null): number =>
  cursor === null ? 0 : Number(fromCursor(cursor, /^(\d{1,15})$/)[0]);

/**
 * Makes a page of rows that were selected in the order of their ids with `LIMIT limit + 1`: the
 * additional row shows that there is a next page.
 */
export function toPage<Row extends { id: number }>(rows: Row[], limit: number): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? encodeCursor(last.id) : null };
}

/**
 * A page ends with the row that makes it longer than this: bytes. The first page of a list is small,
 * because a client may ask for many lists and read none of them.
 */
const maxPageBytes = { first: 131_072, later: 524_288 };

/** The longest text of a record that is sent: bytes. Course providers can send longer ones. */
const maxTextBytes = 1_048_576;

/** Estimate of what a row of a list takes beside its long texts: bytes. */
const baseRowBytes = 1_000;

/** How many bytes of a page a byte of a long text counts as. Parsing or writing a long text holds the event loop until its end. */
const longTextFactor = 2;

/**
 * SQL of a text or JSON column, which is null where it is too long to be sent
 * (contract/parameters#long-texts).
 */
export const sendableText = (column: Sql): Sql =>
  sql`CASE WHEN octet_length((${column})::text) <= ${raw(`${maxTextBytes}`)} THEN ${column} END`;

/** SQL of the bytes that a row counts as in a page, of which these texts can be long. */
export const bytesOf = (...texts: readonly Sql[]): Sql => {
  const lengths = texts.map(
    (text) => sql`${raw(`${longTextFactor}`)} * coalesce(octet_length((${text})::text), 0)`,
  );
  return sql`(${join([raw(`${baseRowBytes}`), ...lengths], ' + ')})`;
};

const maxBytesOf = ({ cursor, alone }: PageRequest): number =>
  maxPageBytes[cursor === null && !alone ? 'first' : 'later'];

/** The number of rows that a page can have: more would not fit. */
const maxRowsOf = (page: PageRequest): number =>
  Math.min(page.limit, Math.ceil(maxBytesOf(page) / baseRowBytes));

/** The number of rows that {@link boundedRows} reads: one more than the page can have. */
export const readRowsOf = (page: PageRequest): number => maxRowsOf(page) + 1;

/**
 * SQL of the rows of a page in the order of the list: at most its limit, and fewer when they are
 * long. PostgreSQL measures them, so that a long text that is left out never leaves it. Each
 * row has `more`: whether the list continues after it.
 *
 * @param rows a query for the rows of the list after the cursor, each with an `id`, without an order
 * @param bytes {@link bytesOf} the texts of `rows` that are sent; `rows` are named `page` here
 * @param order the order of the list, by columns of `rows`; by their ids if not given
 */
export const boundedRows = (rows: Sql, bytes: Sql, page: PageRequest, order = sql`id`): Sql => sql`
  SELECT * FROM (
    SELECT page.*, lead(id) OVER earlier IS NOT NULL AS more,
           coalesce(sum(${bytes}) OVER earlier, 0) AS bytes_before
    FROM (${rows} ORDER BY ${order} LIMIT ${readRowsOf(page)}) AS page
    WINDOW earlier AS (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ) AS measured
  WHERE bytes_before < ${maxBytesOf(page)} ORDER BY ${order} LIMIT ${maxRowsOf(page)}`;

/** Makes a page of rows that were selected from {@link boundedRows} in the order of their ids. */
export function toBoundedPage<Row extends { id: number; more: boolean }>(
  rows: readonly Row[],
): Page<Omit<Row, 'more'>> {
  const last = rows.at(-1);
  return {
    items: rows.map(({ more: _, ...row }) => row),
    next: last?.more ? encodeCursor(last.id) : null,
  };
}
