import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import pg from 'pg';
import { ContextClient } from './context-client.ts';
import { typesWithNumericInt8 } from './int8.ts';
import { toTransactionCommand } from './session.ts';

let server: TestDatabase;
let observer: pg.Client;
let client: ContextClient;
/** How often PostgreSQL has answered the client: round trips. */
let roundTrips: number;
beforeAll(async () => {
  server = await createTestDatabase();
  observer = new pg.Client({ connectionString: server.url });
  await observer.connect();
  await observer.query('CREATE TABLE items (n integer PRIMARY KEY)');
});
beforeEach(async () => {
  await observer.query('TRUNCATE items');
  client = new ContextClient({ connectionString: server.url, types: typesWithNumericInt8 });
  await client.connect();
  roundTrips = 0;
  client.connection.on('readyForQuery', () => (roundTrips += 1));
});
afterEach(() => client.end());
afterAll(async () => {
  await observer.end();
  await server.drop();
});

const control = (text: string) => client.control(toTransactionCommand(text)!);
const insert = (n: number, timeout = 0) =>
  client.run('INSERT INTO items VALUES ($1)', [n], timeout);
const items = async () =>
  (await observer.query<{ n: number }>('SELECT n FROM items ORDER BY n')).rows.map(({ n }) => n);
/** The timeout of the session: milliseconds. */
const timeout = async () => {
  const { rows } = await client.query<{ timeout: number }>(
    `SELECT setting::integer AS timeout FROM pg_settings WHERE name = 'statement_timeout'`,
  );
  return rows[0]?.timeout;
};

describe('a statement', () => {
  it('a statement is sent with its timeout and the start of its transaction in one round trip', async () => {
    await control('START TRANSACTION');
    await insert(1, 5_000);
    expect(roundTrips).toBe(1);
    expect(await timeout()).toBe(5_000);
    expect(await items()).toEqual([]);
    await control('COMMIT');
    expect(await items()).toEqual([1]);
  });

  it('a statement without values is sent with its timeout and the start of its transaction in one round trip', async () => {
    await control('START TRANSACTION');
    const { rows } = await client.run('SELECT 1 AS n', [], 5_000);
    expect(rows).toEqual([{ n: 1 }]);
    expect(roundTrips).toBe(1);
    expect(await timeout()).toBe(5_000);
    expect(client.getTransactionStatus()).toBe('T');
  });

  it('a statement is sent alone where its timeout is set already', async () => {
    const commands: unknown[] = [];
    client.connection.on('commandComplete', (message) => commands.push(message));
    await insert(1, 5_000);
    await insert(2, 5_000);
    expect(commands).toHaveLength(3);
  });

  it('a statement that is rejected beside others is sent alone', async () => {
    await insert(1, 5_000);
    await client.run('VACUUM items', [], 2_000);
    expect(await timeout()).toBe(2_000);
  });

  it('a statement is not executed where its timeout or the start of its transaction fails', async () => {
    await expect(insert(1, -1)).rejects.toThrow('statement_timeout');
    const start = { verb: 'START TRANSACTION', text: 'START nonsense' } as const;
    await client.control({ ...start, savepoint: undefined });
    await expect(insert(2)).rejects.toThrow('syntax error');
    // One that follows the failed one does not run outside of the transaction either.
    await expect(insert(3)).rejects.toThrow('syntax error');
    await expect(client.run('INSERT INTO items VALUES (4)', [], 0)).rejects.toThrow('syntax error');
    await control('ROLLBACK');
    await insert(5);
    expect(await items()).toEqual([5]);
  });

  it('runs in its transaction with those that wait for it', async () => {
    await control('START TRANSACTION');
    const failing = Promise.allSettled([1, 1, 2].map((n) => insert(n, 1_000 * n)));
    expect((await failing).map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected'],
    ]);
    await control('ROLLBACK');
    expect(await items()).toEqual([]);
    expect(await timeout()).toBe(0);
  });

  it('a statement with a value that cannot be sent fails alone', async () => {
    const circular: Record<string, unknown> = {};
    circular['itself'] = circular;
    await control('START TRANSACTION');
    await expect(client.run('SELECT $1::json', [circular], 5_000)).rejects.toThrow('circular');
    await insert(1, 5_000);
    expect(client.getTransactionStatus()).toBe('T');
    await control('ROLLBACK');
    await insert(2, 5_000);
    expect(await items()).toEqual([2]);
    expect(await timeout()).toBe(5_000);
  });
});

describe('a connection', () => {
  it('a connection that breaks while nothing uses it ends no process, and fails its next statement', async () => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const broken = new Promise((resolve) => client.once('end', resolve));
    await observer.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await broken;
    await expect(insert(1)).rejects.toThrow(/not queryable/);
  });
});

describe('a transaction', () => {
  it('a transaction without statements is not sent', async () => {
    for (const end of ['COMMIT', 'ROLLBACK']) {
      await control('START TRANSACTION');
      await control('SAVEPOINT typeorm_1');
      await control('RELEASE SAVEPOINT typeorm_1');
      await control('SAVEPOINT typeorm_1');
      await control('ROLLBACK TO SAVEPOINT typeorm_1');
      await control(end);
    }
    expect(roundTrips).toBe(0);
    await insert(1);
    expect(await items()).toEqual([1]);
  });

  it('a transaction needs no round trip to set and to release a savepoint', async () => {
    await control('START TRANSACTION');
    await insert(1);
    await control('SAVEPOINT typeorm_1');
    await insert(2);
    await control('RELEASE SAVEPOINT typeorm_1');
    await insert(3);
    expect(roundTrips).toBe(3);
    await control('SAVEPOINT typeorm_1');
    await insert(4);
    await control('RELEASE SAVEPOINT typeorm_1');
    await control('COMMIT');
    expect(roundTrips).toBe(5);
    expect(await items()).toEqual([1, 2, 3, 4]);
  });

  it('keeps its other statements when a savepoint is rolled back', async () => {
    await control('START TRANSACTION');
    await insert(1);
    await control('SAVEPOINT typeorm_1');
    await control('SAVEPOINT typeorm_2');
    await insert(2);
    await control('RELEASE SAVEPOINT typeorm_2');
    await control('ROLLBACK TO SAVEPOINT typeorm_1');
    await control('SAVEPOINT typeorm_1');
    await expect(insert(1)).rejects.toThrow('duplicate key');
    await control('ROLLBACK TO SAVEPOINT typeorm_1');
    await insert(3);
    await control('COMMIT');
    expect(await items()).toEqual([1, 3]);
  });

  it('a transaction that has failed fails a savepoint that is set or released at once', async () => {
    await control('START TRANSACTION');
    await insert(1);
    await control('SAVEPOINT typeorm_1');
    await expect(insert(1)).rejects.toThrow('duplicate key');
    await expect(control('RELEASE SAVEPOINT typeorm_1')).rejects.toThrow('aborted');
    await expect(control('SAVEPOINT typeorm_2')).rejects.toThrow('aborted');
    await control('ROLLBACK TO SAVEPOINT typeorm_1');
    await control('COMMIT');
    expect(await items()).toEqual([1]);
  });
});

describe('the timeout of a session', () => {
  const expectSet = async (expected: number) => {
    await client.run('SELECT $1::integer', [1], expected);
    expect(await timeout()).toBe(expected);
  };

  it('the timeout of a session is set again after a statement that failed, or whose result did', async () => {
    const beyond = 'SELECT $1::bigint AS n';
    for (const text of ['SELECT 1 / $1::integer', 'SELECT nonsense', beyond]) {
      const value = text === beyond ? '9007199254740993' : 0;
      const values = text.includes('$1') ? [value] : [];
      await expectSet(1_000);
      await expect(client.run(text, values, 2_000)).rejects.toThrow();
      await expectSet(1_000);
      await expect(client.run(text, values, 2_000)).rejects.toThrow();
      await expectSet(2_000);
    }
  });

  it('the timeout of a session is that before the transaction after a rollback, and after a commit that rolls back', async () => {
    for (const end of ['ROLLBACK', 'COMMIT']) {
      await expectSet(1_000);
      await control('START TRANSACTION');
      await expectSet(2_000);
      await expect(insert(NaN, 3_000)).rejects.toThrow();
      await control(end);
      expect(await timeout()).toBe(1_000);
      await expectSet(3_000);
      await expectSet(1_000);
      await expectSet(2_000);
    }
  });

  it('the timeout of a session is that before the savepoint after its rollback, and stays after its release', async () => {
    await control('START TRANSACTION');
    await expectSet(1_000);
    await control('SAVEPOINT typeorm_1');
    await expectSet(2_000);
    await control('ROLLBACK TO SAVEPOINT typeorm_1');
    await expectSet(1_000);
    await control('SAVEPOINT typeorm_1');
    await expectSet(3_000);
    await control('RELEASE SAVEPOINT typeorm_1');
    await expectSet(3_000);
    await control('COMMIT');
    await expectSet(3_000);
    await expectSet(0);
  });
});
