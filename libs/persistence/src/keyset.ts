import { Failure, type Page } from '@registrar/contracts';

/** The cursor of the page that starts after `id`, in a list ordered by id. Opaque to clients. */
export function encodeCursor(id: number): string {
  return Buffer.from(String(id)).toString('base64url');
}

/** The id that a page starts after; 0 for the first page. @throws {Failure} `invalid` */
export function decodeCursor(cursor: string | null): number {
  if (cursor === null) return 0;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!/^\d{1,15}$/.test(text)) throw new Failure('invalid', 'malformed cursor');
  return Number(text);
}

/**
 * Makes a page of rows that were selected in the order of their ids with `LIMIT limit + 1`: the
 * additional row shows that there is a next page.
 */
export function toPage<Row extends { id: number }>(rows: Row[], limit: number): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? encodeCursor(last.id) : null };
}
