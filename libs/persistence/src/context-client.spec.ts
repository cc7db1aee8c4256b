import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clock } from '@registrar/platform';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import { once } from 'node:events';
import pg from 'pg';
import { ContextClient } from './context-client.ts';
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
  client = new ContextClient({ connectionString: server.url });
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
const insert = (n: number) => client.run('INSERT INTO items VALUES ($1)', [n]);
const items = async () =>
  (await observer.query<{ n: number }>('SELECT n FROM items ORDER BY n')).rows.map(({ n }) => n);
describe('a statement', () => {
  it('a statement is sent with the start of its transaction in one round trip', async () => {
    await control('START TRANSACTION');
    await insert(1);
    expect(roundTrips).toBe(1);
    expect(await items()).toEqual([]);
    await control('COMMIT');
    expect(await items()).toEqual([1]);
  });

  it('a statement without values is sent with the start of its transaction in one round trip', async () => {
    await control('START TRANSACTION');
    const { rows } = await client.run('SELECT 1 AS n', []);
    expect(rows).toEqual([{ n: 1 }]);
    expect(roundTrips).toBe(1);
    expect(client.getTransactionStatus()).toBe('T');
  });

  it('a statement that is rejected beside others is sent alone', async () => {
    await client.run('VACUUM items', [], 5_000);
    expect(roundTrips).toBe(1);
  });

  it('a statement is not executed where the start of its transaction fails', async () => {
    const start = { verb: 'START TRANSACTION', text: 'START nonsense' } as const;
    await client.control({ ...start, savepoint: undefined });
    await expect(insert(2)).rejects.toThrow('syntax error');
    // One that follows the failed one does not run outside of the transaction either.
    await expect(insert(3)).rejects.toThrow('syntax error');
    await expect(client.run('INSERT INTO items VALUES (4)', [])).rejects.toThrow('syntax error');
    await control('ROLLBACK');
    await insert(5);
    expect(await items()).toEqual([5]);
  });

  it('runs in its transaction with those that wait for it', async () => {
    await control('START TRANSACTION');
    const failing = Promise.allSettled([1, 1, 2].map((n) => insert(n)));
    expect((await failing).map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected'],
    ]);
    await control('ROLLBACK');
    expect(await items()).toEqual([]);
  });

  it('a statement with a value that cannot be sent fails alone', async () => {
    const circular: Record<string, unknown> = {};
    circular['itself'] = circular;
    await control('START TRANSACTION');
    await expect(client.run('SELECT $1::json', [circular])).rejects.toThrow('circular');
    await insert(1);
    expect(client.getTransactionStatus()).toBe('T');
    await control('ROLLBACK');
    await insert(2);
    expect(await items()).toEqual([2]);
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

describe('a timeout', () => {
  const sleeping = async () => {
    const { rows } = await observer.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity
       WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active' AND datname = current_database()`,
    );
    return Number(rows[0]?.count);
  };
  const sleep = (timeMs: number) => client.run('SELECT pg_sleep($1)', [20], timeMs);

  it('a timeout cancels the statement that runs, and ends the connection', async () => {
    const ended = once(client, 'end');
    await expect(sleep(50)).rejects.toMatchObject({ code: '57014' });
    await ended;
    expect(await sleeping()).toBe(0);
    await expect(insert(1)).rejects.toThrow('Client was closed');
  });

  it('a timeout rolls the transaction of its statement back', async () => {
    await control('START TRANSACTION');
    await insert(1);
    await expect(sleep(50)).rejects.toMatchObject({ code: '57014' });
    await expect(control('COMMIT')).rejects.toThrow('Client was closed');
    expect(await items()).toEqual([]);
  });

  it('a timeout changes nothing for a statement that ends before it, and costs no statement', async () => {
    await insert(1);
    const commands: unknown[] = [];
    client.connection.on('commandComplete', (message) => commands.push(message));
    await client.run('SELECT 1', [], 5_000);
    await client.run('INSERT INTO items VALUES ($1)', [2], 5_000);
    clock.step(5_000);
    await insert(3);
    expect(commands).toHaveLength(3);
    expect(roundTrips).toBe(4);
  });

  it('a timeout cancels statements that wait for it', async () => {
    await control('START TRANSACTION');
    const running = [sleep(50), sleep(50), sleep(20_000)];
    const outcomes = await Promise.allSettled(running);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await sleeping()).toBe(0);
  });
});
