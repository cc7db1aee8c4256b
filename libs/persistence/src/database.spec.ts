import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clock, runInRequestContext, withDeadline } from '@registrar/platform';
import { startTcpProxy, type TestDatabase } from '@registrar/testing';
import { type EventEmitter, once } from 'node:events';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import * as z from 'zod';
import { type Database } from './database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { Item, itemsSchema, openItems } from './items.fixture.ts';
import { openDatabase } from './persistence.module.ts';
import { customPlan, join, raw, type Sql, sql, timestampOf } from './sql.ts';

const nameRow = z.object({ name: z.string() });

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  ({ server, database } = await openItems());
});
beforeEach(() => database.execute(sql`TRUNCATE items`));
afterAll(async () => {
  await database.dataSource.destroy();
  await server.drop();
});

const insert = (name: string) => database.execute(sql`INSERT INTO items (name) VALUES (${name})`);
const names = async () =>
  (await database.many(nameRow, sql`SELECT name FROM items ORDER BY name`)).map((row) => row.name);
const items = () => database.dataSource.getRepository(Item);

/** Runs `work` with a deadline in `time` milliseconds. */
const within = <T>(time: number, work: () => Promise<T>) =>
  runInRequestContext({ requestId: 'r', deadline: clock.now() + time }, work);

it('timestampOf writes ISO 8601 in UTC without fractions, whatever the settings of PostgreSQL', async () => {
  const text = timestampOf(sql`'2026-01-02 03:04:59.999+02'::timestamptz`);
  await database.transaction(async () => {
    await database.execute(sql`SET LOCAL DateStyle = 'German'`);
    await database.execute(sql`SET LOCAL timezone = 'Asia/Tokyo'`);
    const row = await database.one(z.object({ text: z.string() }), sql`SELECT ${text} AS text`);
    expect(row.text).toBe('2026-01-02T01:04:59Z');
  });
  const none = sql`SELECT ${timestampOf(sql`NULL::timestamptz`)} AS text`;
  expect(await database.one(z.object({ text: z.null() }), none)).toEqual({ text: null });
});

it('a database is closed when the transactions under way have ended', async () => {
  const closing = await openDatabase(itemsSchema, server.url);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const transaction = closing.transaction(async () => {
    await closing.execute(sql`INSERT INTO items (name) VALUES ('the last one')`);
    begin();
    await closing.execute(sql`SELECT pg_sleep(0.1)`);
  });
  await begun;
  await Promise.all([closing.dataSource.destroy(), transaction]);
  expect(await names()).toEqual(['the last one']);
});

describe('migrations', () => {
  it('migrations run once when several replicas start together', async () => {
    const replicas = await Promise.all(
      Array.from({ length: 5 }, () => openDatabase(itemsSchema, server.url)),
    );
    const { count } = await database.one(
      z.object({ count: z.number() }),
      sql`SELECT count(*) AS count FROM sample.migrations`,
    );
    expect(count).toBe(1);
    await Promise.all(replicas.map((replica) => replica.dataSource.destroy()));
  });
});

describe('SQL statements', () => {
  const idRow = z.object({ n: z.number() });

  it('bind values as parameters and compose fragments', async () => {
    const conditions = [sql`n > ${1}`, sql`n < ${4}`];
    const rows = await database.many(
      idRow,
      sql`SELECT ${raw('n')} FROM generate_series(1, ${5}::integer) AS s (n)
          WHERE ${join(conditions, ' AND ')} ORDER BY n`,
    );
    expect(rows).toEqual([{ n: 2 }, { n: 3 }]);
    await insert(`Robert'); DROP TABLE items; --`);
    expect(await names()).toEqual([`Robert'); DROP TABLE items; --`]);
  });

  it('SQL statements return the rows of INSERT, UPDATE and DELETE with RETURNING', async () => {
    const one = (text: string) => database.one(nameRow, sql`${raw(text)} RETURNING name`);
    expect(await one(`INSERT INTO items (name) VALUES ('first')`)).toEqual({ name: 'first' });
    expect(await one(`UPDATE items SET name = 'second'`)).toEqual({ name: 'second' });
    expect(await one(`DELETE FROM items`)).toEqual({ name: 'second' });
  });

  it('SQL statements return the number of affected rows from execute', async () => {
    await insert('a');
    await insert('b');
    expect(await database.execute(sql`UPDATE items SET name = name || '!'`)).toBe(2);
    expect(await database.execute(sql`DELETE FROM items WHERE name = ${'none'}`)).toBe(0);
  });

  it('SQL statements return null from maybeOne and fail in one when there is no row', async () => {
    const none = sql`SELECT 1 AS n WHERE false`;
    expect(await database.maybeOne(idRow, none)).toBeNull();
    await expect(database.one(idRow, none)).rejects.toThrow('expected one row, got none: SELECT 1');
  });

  it('SQL statements fail in one and maybeOne when there is more than one row', async () => {
    const two = sql`SELECT n FROM generate_series(1, 2) AS s (n)`;
    await expect(database.one(idRow, two)).rejects.toThrow('expected at most one row, got 2');
    await expect(database.maybeOne(idRow, two)).rejects.toThrow('expected at most one row, got 2');
  });

  it('SQL statements are prepared when they are used again, and planned for the values of each use where they say so', async () => {
    const usesOf = async (select: Sql) => {
      for (let use = 0; use < 9; use += 1) await database.one(idRow, select);
      return database.maybeOne(
        z.object({ uses: z.string() }),
        sql`SELECT concat_ws(' ', custom_plans, generic_plans) AS uses FROM pg_prepared_statements
            WHERE statement = ${select.text}`,
      );
    };
    const select = sql`SELECT n FROM generate_series(1, 3) AS s (n) WHERE n = ${1}`;
    expect(await usesOf(select)).toEqual({ uses: '5 3' });
    expect(await usesOf(sql`${select} ${customPlan}`)).toBeNull();
  });

  it('SQL statements return bigint as a number, and fail beyond 2^53', async () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const row = await database.one(
      z.object({ n: z.number(), list: z.array(z.number()), count: z.number() }),
      sql`SELECT ${largest}::bigint AS n, ARRAY[1, ${largest}]::bigint[] AS list, count(*) AS count`,
    );
    expect(row).toEqual({ n: largest, list: [1, largest], count: 1 });
    const beyond = sql`SELECT 9007199254740993 AS n`;
    await expect(database.one(idRow, beyond)).rejects.toThrow('exceeds the safe integers');
  });
});

describe('row schemas', () => {
  const wrong = sql`SELECT 'text' AS n`;
  const schema = z.object({ n: z.number() });

  it('row schemas reject a value of another type, a missing column and an undeclared column', async () => {
    for (const statement of [wrong, sql`SELECT 1 AS m`, sql`SELECT 1 AS n, 2 AS m`]) {
      await expect(database.many(schema, statement)).rejects.toThrow('does not match its schema');
    }
  });

  it('row schemas reject a schema that changes values', async () => {
    const coercing = z.object({ n: z.string().trim() });
    await expect(database.many(coercing, sql`SELECT ' a ' AS n`)).rejects.toThrow(
      'the row schema changes values',
    );
  });

  it('row schemas are not applied in production', async () => {
    const environment = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    const production = await openDatabase(itemsSchema, server.url);
    process.env['NODE_ENV'] = environment;
    expect(await production.many(schema, wrong)).toEqual([{ n: 'text' }]);
    await production.dataSource.destroy();
  });
});

describe('transactions', () => {
  it('transactions include all statements inside them, and roll them back together', async () => {
    const failing = database.transaction(async () => {
      await insert('outer');
      await database.transaction(() => insert('inner'));
      expect(await names()).toEqual(['inner', 'outer']);
      throw new Error('change of mind');
    });
    await expect(failing).rejects.toThrow('change of mind');
    expect(await names()).toEqual([]);
  });

  it('transactions include the statements of repositories, and roll them back together', async () => {
    const failing = database.transaction(async () => {
      await insert('by SQL');
      await items().insert({ name: 'inserted' });
      const saved = await items().save({ name: 'saved' });
      expect(saved).toMatchObject({ id: expect.any(Number), createdAt: expect.any(Date) });
      await items().update({ name: 'inserted' }, { name: 'updated' });
      await database.savepoint(() => items().delete({ name: 'by SQL' }));
      expect(await names()).toEqual(['saved', 'updated']);
      expect(await items().count()).toBe(2);
      expect(await database.outsideTransaction(() => items().count())).toBe(0);
      throw new Error('change of mind');
    });
    await expect(failing).rejects.toThrow('change of mind');
    expect(await items().find()).toEqual([]);
  });

  it('commit what repositories write, with bigint ids as numbers', async () => {
    await database.transaction(async () => {
      await items().insert({ name: 'kept' });
    });
    const item = await items().findOneByOrFail({ name: 'kept' });
    expect(item).toEqual({ id: expect.any(Number), name: 'kept', createdAt: expect.any(Date) });
    expect(await items().findOneBy({ id: item.id })).toEqual(item);
  });

  it('transactions run tasks after the commit, and not after a rollback', async () => {
    const ran: string[] = [];
    await database.transaction(async () => {
      database.afterCommit(() => ran.push('committed'));
      await insert('kept');
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

  it('transactions keep their other statements when a savepoint is rolled back', async () => {
    const ran: string[] = [];
    const insertAndNote = async (name: string) => {
      await insert(name);
      database.afterCommit(() => ran.push(name));
    };
    await database.transaction(async () => {
      await insertAndNote('before');
      const undone = database.savepoint(async () => {
        await insertAndNote('within');
        await database.execute(sql`SELECT 1 / 0`);
      });
      await expect(undone).rejects.toThrow('division by zero');
      await database.savepoint(() => insertAndNote('after'));
    });
    expect(ran).toEqual(['before', 'after']);
    expect(await names()).toEqual(['after', 'before']);
  });

  it('transactions fail as retriable when a migration has changed the result of their statement', async () => {
    const all = () =>
      database.transaction(() =>
        database.many(z.looseObject({}), sql`SELECT * FROM items WHERE id = ${1}`),
      );
    for (let use = 0; use < 3; use += 1) await all();
    await database.execute(sql`ALTER TABLE items ADD COLUMN note text`);
    await expect(all()).rejects.toMatchObject({ code: 'unavailable', retriable: true });
    expect(await all()).toEqual([]);
    await database.execute(sql`ALTER TABLE items DROP COLUMN note`);
  });

  it('transactions are required by savepoints', async () => {
    await expect(database.savepoint(async () => undefined)).rejects.toThrow('needs a transaction');
  });
});

describe('deadlines', () => {
  const sleep = sql`SELECT pg_sleep(20)`;

  it('deadlines cancel a statement that runs', async () => {
    await expect(within(50, () => database.execute(sleep))).rejects.toMatchObject({
      code: 'expired',
    });
  });

  it('deadlines cancel a statement of a repository, inside and outside of a transaction', async () => {
    const slow = () => items().createQueryBuilder('i').where('pg_sleep(20) IS NULL').getCount();
    await insert('an item');
    await expect(within(50, slow)).rejects.toMatchObject({ code: 'expired' });
    const inTransaction = within(100, () => database.transaction(slow));
    await expect(inTransaction).rejects.toMatchObject({ code: 'expired' });
  });

  it('prevent statements after them, of repositories too', async () => {
    const late = within(-1, () => database.execute(sql`SELECT 1`));
    await expect(late).rejects.toMatchObject({ code: 'expired' });
    await expect(within(-1, () => items().find())).rejects.toMatchObject({ code: 'expired' });
  });

  it('prevent statements of work that goes on while its transaction is rolled back', async () => {
    const deadline = clock.now() + 60_000;
    const rollback = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    const expired = runInRequestContext({ requestId: 'r', deadline }, () =>
      database.transaction(async () => {
        await insert('in time');
        late = rollback.promise.then(() => insert('late'));
        const work = withDeadline(late, deadline, 'the work');
        clock.step(60_000);
        await work.finally(() => rollback.resolve());
      }),
    );
    await expect(expired).rejects.toMatchObject({ code: 'expired' });
    await expect(late).rejects.toMatchObject({ code: 'expired' });
    expect(await names()).toEqual([]);
  });

  it('deadlines that are nearer inside a transaction cancel its statement, and end the transaction', async () => {
    const nearer = within(60_000, () =>
      database.transaction(async () => {
        await insert('undone');
        await expect(within(50, () => database.execute(sleep))).rejects.toMatchObject({
          code: 'expired',
        });
        await insert('late');
      }),
    );
    await expect(nearer).rejects.toMatchObject({ code: 'unavailable', retriable: true });
    expect(await names()).toEqual([]);
  });

  it('deadlines are bounded by the timeout of connections, which migrations do not have', async () => {
    const row = z.object({ timeout: z.string() });
    const timeout = sql`SELECT current_setting('statement_timeout') AS timeout`;
    class Timeout1800000000000 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        const setting = `current_setting('statement_timeout')`;
        await runner.query(`CREATE TABLE seen AS SELECT ${setting} AS timeout`);
      }
      async down(): Promise<void> {}
    }
    const schema = {
      ...itemsSchema,
      migrations: [...itemsSchema.migrations, Timeout1800000000000],
    };
    const migrated = await openDatabase(schema, server.url);
    expect(await migrated.one(row, sql`SELECT timeout FROM seen`)).toEqual({ timeout: '0' });
    expect(await migrated.one(row, timeout)).toEqual({ timeout: '5min' });
    await migrated.execute(sql`DROP TABLE seen`);
    await migrated.execute(sql`DELETE FROM migrations WHERE name LIKE 'Timeout%'`);
    await migrated.dataSource.destroy();
  });
});

describe('a lost connection', () => {
  const one = sql`SELECT 1 AS n`;
  const backend = sql`SELECT pg_backend_pid() AS pid`;
  const pidRow = z.object({ pid: z.number() });

  it('fails statements with DatabaseUnavailable until the server is reachable again', async () => {
    const proxy = await startTcpProxy(server.url);
    const distant = await openDatabase(itemsSchema, proxy.url);
    const running = distant.execute(sql`SELECT pg_sleep(20)`);
    const failed = expect(running).rejects.toMatchObject({ code: 'unavailable', retriable: true });
    await distant.execute(one);
    proxy.cut();
    await failed;
    await expect(distant.execute(one)).rejects.toBeInstanceOf(DatabaseUnavailable);
    const find = distant.dataSource.getRepository(Item).find();
    await expect(find).rejects.toBeInstanceOf(DatabaseUnavailable);
    proxy.restore();
    expect(await distant.execute(one)).toBe(1);

    // The connection to an unresponsive server is closed shortly after the deadline.
    const { pid } = await within(60_000, () => distant.one(pidRow, backend));
    proxy.blackHole();
    const unresponsive = within(100, () => distant.execute(one));
    await expect(unresponsive).rejects.toBeInstanceOf(DatabaseUnavailable);
    proxy.restore();
    expect((await distant.one(pidRow, backend)).pid).not.toBe(pid);
    await distant.dataSource.destroy();
    await proxy.close();
  });

  it('fails a transaction with DatabaseUnavailable between two of its statements', async () => {
    const interrupted = database.transaction(async () => {
      const { runner } = database.dataSource.transactions.getStore()!;
      const broken = once((await runner.connect()) as EventEmitter, 'error');
      const { pid } = await database.one(pidRow, backend);
      await database.outsideTransaction(() =>
        database.execute(sql`SELECT pg_terminate_backend(${pid})`),
      );
      await broken;
      await database.execute(one);
    });
    await expect(interrupted).rejects.toBeInstanceOf(DatabaseUnavailable);
    const unreachable = Object.assign(new Error('no way'), { code: 'EHOSTUNREACH' });
    expect(DatabaseUnavailable.fromError(unreachable)).toBeInstanceOf(DatabaseUnavailable);
  });
});
