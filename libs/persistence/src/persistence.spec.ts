import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOperation } from '#libs/platform';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type Database } from './database.ts';
import { decodeCursor, encodeCursor, pageOf } from './keyset.ts';
import { type ContextSchema, openDatabase } from './persistence-module.ts';

class Things1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE things (id serial PRIMARY KEY, name text NOT NULL UNIQUE)');
  }
  down(): Promise<void> {
    throw new Error('forward only');
  }
}

const schema: ContextSchema = {
  name: 'sample',
  entities: [],
  migrations: [Things1700000000000],
  extensions: ['pg_trgm'],
};

describe('a context database', () => {
  let server: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    server = await createTestDatabase();
    database = await openDatabase(schema, server.url);
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await server.drop();
  });

  const names = async () =>
    (await database.query<{ name: string }>('SELECT name FROM things ORDER BY name')).map(
      (row) => row.name,
    );

  it('is migrated once when several replicas start together', async () => {
    const replicas = await Promise.all(
      Array.from({ length: 5 }, () => openDatabase(schema, server.url)),
    );
    const [row] = await database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM sample.migrations',
    );
    expect(row?.count).toBe(1);
    await Promise.all(replicas.map((replica) => replica.dataSource.destroy()));
  });

  it('shares one transaction with all that runs inside it, and undoes it whole', async () => {
    const failing = database.transaction(async () => {
      await database.query('INSERT INTO things (name) VALUES ($1)', ['undone']);
      await database.transaction(() =>
        database.query('INSERT INTO things (name) VALUES ($1)', ['undone too']),
      );
      expect(await names()).toEqual(['undone', 'undone too']);
      throw new Error('change of mind');
    });
    await expect(failing).rejects.toThrow('change of mind');
    expect(await names()).toEqual([]);
  });

  it('runs what was left for after the commit only when there was one', async () => {
    const ran: string[] = [];
    await database.transaction(async () => {
      database.afterCommit(() => ran.push('committed'));
      await database.query(`INSERT INTO things (name) VALUES ('kept')`);
      expect(ran).toEqual([]);
    });
    await database
      .transaction(async () => {
        database.afterCommit(() => ran.push('rolled back'));
        throw new Error('undo');
      })
      .catch(() => undefined);
    expect(ran).toEqual(['committed']);
  });

  it('answers the rows of INSERT, UPDATE and DELETE … RETURNING alike', async () => {
    const insert = `INSERT INTO things (name) VALUES ('first') RETURNING name`;
    const update = `UPDATE things SET name = 'second' WHERE name = 'first' RETURNING name`;
    const remove = `DELETE FROM things WHERE name = 'second' RETURNING name`;
    expect(await database.query(insert)).toEqual([{ name: 'first' }]);
    expect(await database.query(update)).toEqual([{ name: 'second' }]);
    expect(await database.query(remove)).toEqual([{ name: 'second' }]);
  });

  it('stops a statement at the deadline of its operation', async () => {
    const slow = runOperation({ requestId: 'r', deadline: Date.now() + 50 }, () =>
      database.query('SELECT pg_sleep(20)'),
    );
    await expect(slow).rejects.toMatchObject({ code: 'expired' });
    const late = runOperation({ requestId: 'r', deadline: Date.now() - 1 }, () =>
      database.query('SELECT 1'),
    );
    await expect(late).rejects.toMatchObject({ code: 'expired' });
  });

  it('gives a later statement of a transaction the time that remains, and no more', async () => {
    const limits = await runOperation({ requestId: 'r', deadline: Date.now() + 60_000 }, () =>
      database.transaction(async () => {
        const limit = async () => {
          const [row] = await database.query<{ statement_timeout: string }>(
            'SHOW statement_timeout',
          );
          return row?.statement_timeout;
        };
        const first = await limit();
        const nearer = { requestId: 'r', deadline: Date.now() + 5_000 };
        const second = await runOperation(nearer, limit);
        return [first, second].map((text) => Number.parseInt(text ?? '0'));
      }),
    );
    // PostgreSQL shows whole minutes and seconds as such, and milliseconds otherwise.
    expect(limits[1]).toBeLessThanOrEqual(5_000);
    expect(limits[0]).not.toBe(limits[1]);
  });
});

describe('keyset paging', () => {
  it('finds its place again, and refuses what it did not write', () => {
    expect(decodeCursor(encodeCursor(4711))).toBe(4711);
    expect(decodeCursor(null)).toBe(0);
    expect(() => decodeCursor('nonsense')).toThrow('malformed cursor');
  });

  it('tells from one row too many that there is more', () => {
    const rows = [{ id: 1 }, { id: 2 }, { id: 3 }];
    expect(pageOf(rows, 2)).toEqual({ items: [{ id: 1 }, { id: 2 }], next: encodeCursor(2) });
    expect(pageOf(rows, 3)).toEqual({ items: rows, next: null });
  });
});
