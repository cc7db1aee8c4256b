import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clock, runInRequestContext } from '@registrar/platform';
import {
  ConnectionPooler,
  createTestDatabase,
  findPgBouncer,
  type TestDatabase,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import pg from 'pg';
import * as z from 'zod';
import type { Database } from './database.ts';
import { itemsSchema } from './items.fixture.ts';
import { migrateSchema, waitForMigrations } from './migrations.ts';
import { openDatabase } from './persistence.module.ts';
import { raw, type Sql, sql } from './sql.ts';

describeWith(findPgBouncer(), 'a connection pooler', (program) => {
  let server: TestDatabase;
  let observer: pg.Client;
  beforeAll(async () => {
    server = await createTestDatabase();
    observer = new pg.Client({ connectionString: server.url });
    await observer.connect();
  });
  afterAll(async () => {
    await observer.end();
    await server.drop();
  });

  describe('in session mode', () => {
    let pooler: ConnectionPooler;
    let database: Database;
    const open = () => openDatabase(itemsSchema, pooler.addressOf(server.url));
    beforeAll(async () => {
      pooler = await ConnectionPooler.start(program, server.url, 'session');
      database = await open();
    });
    afterAll(async () => {
      await database.dataSource.destroy();
      await pooler.stop();
    });

    const textRow = z.object({ text: z.string() });
    const usedRow = z.looseObject({ text: z.literal('used') });
    const texts = async (statement: Sql, on = database) =>
      (await on.many(textRow, statement)).map(({ text }) => text);
    const use = async (name: string, on = database) => {
      const statement = sql`SELECT ${name}::text AS ${raw(name)}, 'used' AS text`;
      for (let time = 0; time < 3; time += 1) await on.one(usedRow, statement);
      return statement.text;
    };

    it('a pooler in session mode lets one of several replicas migrate', async () => {
      const replicas = await Promise.all([open(), open(), open()]);
      const { rows } = await observer.query('SELECT FROM sample.migrations');
      expect(rows).toHaveLength(1);
      await Promise.all(replicas.map(({ dataSource }) => dataSource.destroy()));
    });

    it('a pooler in session mode keeps the settings of a connection', async () => {
      const settings = ['search_path', 'statement_timeout', 'idle_in_transaction_session_timeout'];
      const values = () =>
        texts(sql`SELECT current_setting(name) AS text FROM unnest(${settings}::text[]) AS name`);
      const expected = ['sample, pg_catalog, public', '5min', '40s'];
      expect(await Promise.all([values(), values(), values()])).toEqual([
        ...[expected, expected, expected],
      ]);
    });

    it('a pooler in session mode keeps prepared statements, and gives none to the next client', async () => {
      const prepared = sql`SELECT statement AS text FROM pg_prepared_statements
                           WHERE statement NOT LIKE '%pg_prepared_statements%'`;
      const earlier = await open();
      const first = await use('one', earlier);
      expect(await texts(prepared, earlier)).toContain(first);
      await earlier.dataSource.destroy();
      const later = await open();
      expect(await texts(prepared, later)).toEqual([]);
      const second = await use('two', later);
      expect(await texts(prepared, later)).toEqual([second]);
      await later.dataSource.destroy();
    });

    it('a pooler in session mode commits and rolls back transactions as a whole', async () => {
      const insert = (name: string) =>
        database.execute(sql`INSERT INTO items (name) VALUES (${name})`);
      await database.transaction(() => Promise.all([insert('one'), insert('two')]));
      const failing = database.transaction(async () => {
        await insert('three');
        await database.savepoint(() => insert('one'));
      });
      await expect(failing).rejects.toThrow('duplicate key');
      expect(await texts(sql`SELECT name AS text FROM items ORDER BY id`)).toEqual(['one', 'two']);
    });

    it('a pooler in session mode passes on the cancellation of a statement at its deadline', async () => {
      const sleep = sql`SELECT pg_sleep(20)`;
      const cancelled = runInRequestContext({ requestId: 'r', deadline: clock.now() + 100 }, () =>
        database.execute(sleep),
      );
      await expect(cancelled).rejects.toMatchObject({ code: 'expired' });
      const { rows } = await observer.query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND query LIKE '%pg_sleep(20)' AND state = 'active'`,
      );
      expect(rows).toEqual([]);
    });
  });

  describe('in transaction mode', () => {
    let pooler: ConnectionPooler;
    beforeAll(async () => {
      pooler = await ConnectionPooler.start(program, server.url, 'transaction');
    });
    afterAll(() => pooler.stop());

    it.each([
      ['an app', openDatabase],
      ['a migration', migrateSchema],
      ['a wait for migrations', waitForMigrations],
    ])(
      'a pooler in transaction mode fails the start of %s with the remedy, and keeps no lock',
      async (_what, start) => {
        await expect(start(itemsSchema, pooler.addressOf(server.url))).rejects.toMatchObject({
          name: 'SettingsError',
          message: expect.stringContaining('set pool_mode = session'),
        });
        const { rows } = await observer.query(
          `SELECT FROM pg_locks WHERE locktype = 'advisory'
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        expect(rows).toEqual([]);
      },
    );
  });
});
