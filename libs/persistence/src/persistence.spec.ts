import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOperation } from '#libs/platform';
import { createTestDatabase, startTcpProxy, type TestDatabase } from '#libs/testing';
import { type EventEmitter, once } from 'node:events';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type Database } from './database.ts';
import { DatabaseAway } from './database-away.ts';
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

  /** The time limit of the statement that asks for it: milliseconds. */
  const limitOfNext = async () => {
    const [row] = await database.query<{ limit: number }>(
      `SELECT setting::integer AS limit FROM pg_settings WHERE name = 'statement_timeout'`,
    );
    return row?.limit ?? NaN;
  };
  const within = <T>(time: number, work: () => Promise<T>) =>
    runOperation({ requestId: 'r', deadline: Date.now() + time }, work);

  it('gives each statement the time that remains, and none to those without a deadline', async () => {
    // One after the other, they share a connection of the pool.
    for (const time of [60_000, 5_000, 60_000]) {
      const limit = await within(time, limitOfNext);
      expect(limit).toBeGreaterThan(time - 5_000);
      expect(limit).toBeLessThanOrEqual(time);
    }
    expect(await limitOfNext()).toBe(0);
  });

  it('gives a later statement of a transaction the time that remains, and no more', async () => {
    const limits = await within(60_000, () =>
      database.transaction(async () => [
        await limitOfNext(),
        await within(5_000, limitOfNext),
        await database
          .savepoint(async () => {
            throw new Error(String(await within(2_000, limitOfNext)));
          })
          .catch((error: Error) => Number(error.message)),
        await limitOfNext(),
      ]),
    );
    const most = [60_000, 5_000, 2_000, 60_000];
    for (const [index, limit] of limits.entries()) {
      expect(limit).toBeLessThanOrEqual(most[index] ?? NaN);
      expect(limit).toBeGreaterThan((most[index] ?? NaN) / 2);
    }
    expect(await within(30_000, limitOfNext)).toBeLessThanOrEqual(30_000);
  });

  it('undoes a savepoint alone, with what was to be done after the commit', async () => {
    const ran: string[] = [];
    const remember = async (name: string) => {
      await database.query('INSERT INTO things (name) VALUES ($1)', [name]);
      database.afterCommit(() => ran.push(name));
    };
    await database.transaction(async () => {
      await remember('before');
      const undone = database.savepoint(async () => {
        await remember('within');
        await database.query('SELECT 1 / 0');
      });
      await expect(undone).rejects.toThrow('division by zero');
      await database.savepoint(() => remember('after'));
    });
    expect(ran).toEqual(['before', 'after']);
    expect(await names()).toEqual(expect.arrayContaining(['after', 'before']));
    expect(await names()).not.toContain('within');
    await expect(database.savepoint(async () => undefined)).rejects.toThrow('needs a transaction');
  });

  it('says that it is away, and works again when it is back', async () => {
    const way = await startTcpProxy(server.url);
    const distant = await openDatabase(schema, way.url);
    const waiting = distant.query('SELECT pg_sleep(20)');
    const cut = expect(waiting).rejects.toMatchObject({ code: 'unavailable', retriable: true });
    await distant.query('SELECT 1');
    way.cut();
    await cut;
    await expect(distant.query('SELECT 1')).rejects.toBeInstanceOf(DatabaseAway);
    way.restore();
    expect(await distant.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);

    // One that says nothing any more is given up, with what was on its way.
    const before = await within(60_000, () => distant.query('SELECT pg_backend_pid()'));
    way.blackHole();
    const silent = within(100, () => distant.query('SELECT 1'));
    await expect(silent).rejects.toBeInstanceOf(DatabaseAway);
    way.restore();
    expect(await distant.query('SELECT pg_backend_pid()')).not.toEqual(before);
    await distant.dataSource.destroy();
    await way.close();
  });

  it('says so too when it goes between two statements of a transaction', async () => {
    const cutShort = database.transaction(async () => {
      const connection = (await database.manager.queryRunner?.connect()) as EventEmitter;
      const broken = once(connection, 'error');
      const [own] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.detached(() => database.query('SELECT pg_terminate_backend($1)', [own?.pid]));
      await broken;
      await database.query('SELECT 1');
    });
    await expect(cutShort).rejects.toBeInstanceOf(DatabaseAway);
    const unreachable = Object.assign(new Error('no way'), { code: 'EHOSTUNREACH' });
    expect(DatabaseAway.behind(unreachable)).toBeInstanceOf(DatabaseAway);
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
