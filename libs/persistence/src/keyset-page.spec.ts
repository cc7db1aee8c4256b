import { describe, expect, it } from 'vitest';
import type { QueryRunner } from 'typeorm';
import * as z from 'zod';
import { boundedRows, bytesOf, decodeCursor, sendableText, toBoundedPage } from './keyset.ts';
import { sql } from './sql.ts';
import { useDatabase } from './testing/use-database.ts';

class Notes1700000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE notes (id bigint PRIMARY KEY, text text, data json)');
  }
  down(): Promise<void> {
    throw new Error('forward only');
  }
}

const schema = { name: 'sample', entities: [], migrations: [Notes1700000000000] };
const noteRow = z.object({ id: z.number(), length: z.number().nullable(), more: z.boolean() });

describe('a page of a list', () => {
  const database = useDatabase(schema);

  const fill = async (lengths: readonly number[]) => {
    await database().execute(sql`TRUNCATE notes`);
    await database().execute(sql`
      INSERT INTO notes (id, text) SELECT id, repeat('x', length)
      FROM unnest(${lengths}::integer[]) WITH ORDINALITY AS n (length, id)`);
  };
  const page = async (cursor: string | null, limit: number, alone = false) => {
    const listed = sql`SELECT * FROM notes WHERE id > ${decodeCursor(cursor)}`;
    const bytes = bytesOf(sendableText(sql`page.text`));
    const rows = await database().many(
      noteRow,
      sql`SELECT r.id, length(${sendableText(sql`r.text`)}) AS length, r.more
          FROM (${boundedRows(listed, bytes, { cursor, limit, alone })}) AS r
          ORDER BY r.id`,
    );
    return toBoundedPage(rows);
  };
  const sizes = async (limit: number): Promise<number[]> => {
    const found: number[] = [];
    for (let cursor: string | null = null; ;) {
      const { items, next } = await page(cursor, limit);
      found.push(items.length);
      if (next === null) return found;
      cursor = next;
    }
  };

  it('ends at its limit of rows, and the last one has no successor', async () => {
    await fill([1, 1, 1, 1]);
    expect(await sizes(3)).toEqual([3, 1]);
    expect(await sizes(4)).toEqual([4]);
    await fill([]);
    expect(await sizes(4)).toEqual([0]);
  });

  it('ends earlier with the row that makes it too long, of which long texts count twice, and sooner when it is the first', async () => {
    await fill([1, 75_000, 1, 150_000, 150_000, 1, 1]);
    expect(await sizes(100)).toEqual([2, 3, 2]);
  });

  it('reads no more rows than fit at their least size', async () => {
    await fill(Array.from({ length: 1_000 }, () => 0));
    expect(await sizes(1_000)).toEqual([132, 525, 343]);
  });

  it('a first page that is read alone is as long as a later one', async () => {
    await fill(Array.from({ length: 1_000 }, () => 0));
    const { items, next } = await page(null, 500, true);
    expect(items).toHaveLength(500);
    expect(decodeCursor(next)).toBe(500);
  });

  it('a page is in the order that the list has', async () => {
    await fill([3, 1, 2]);
    const request = { cursor: null, limit: 2 };
    const order = sql`text DESC`;
    const bytes = bytesOf(sql`page.text`);
    const bounded = boundedRows(sql`SELECT id, text FROM notes`, bytes, request, order);
    const rows = await database().many(
      noteRow.pick({ id: true, more: true }),
      sql`SELECT id, more FROM (${bounded}) AS r ORDER BY ${order}`,
    );
    expect(rows).toMatchObject([
      { id: 1, more: true },
      { id: 3, more: true },
    ]);
  });

  it('a page of a list has one row at least, whose text is null when nothing could carry it', async () => {
    await fill([3_000_000, 1_048_576, 1_048_577, 1]);
    expect(await sizes(100)).toEqual([2, 2]);
    const { items } = await page(null, 1);
    expect(items).toEqual([{ id: 1, length: null }]);
  });
});
