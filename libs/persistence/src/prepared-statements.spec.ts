import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { clock } from '@registrar/platform';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import pg from 'pg';
import { ContextClient } from './context-client.ts';
import { toTransactionCommand } from './session.ts';
import { customPlan, sql } from './sql.ts';

let server: TestDatabase;
let observer: pg.Client;
let client: ContextClient;
beforeAll(async () => {
  server = await createTestDatabase();
  observer = new pg.Client({ connectionString: server.url });
  await observer.connect();
});
beforeEach(async () => {
  await observer.query('CREATE TABLE items (n integer)');
  client = new ContextClient({ connectionString: server.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await observer.query('DROP TABLE items');
});
afterAll(async () => {
  await observer.end();
  await server.drop();
});

const control = (text: string) => client.control(toTransactionCommand(text)!);
const run = async (text: string, values: unknown[], times = 1) => {
  let result: pg.QueryResult | undefined;
  for (let time = 0; time < times; time += 1) result = await client.run(text, values);
  return result?.rows as unknown[];
};
/** The texts that PostgreSQL holds prepared for the client. */
const preparedTexts = async () => {
  const { rows } = await client.query<{ statement: string }>(
    'SELECT statement FROM pg_prepared_statements ORDER BY prepare_time',
  );
  return rows.map(({ statement }) => statement);
};

it('prepared statements are the texts with values that a connection uses again, inside of transactions too', async () => {
  await run('SELECT $1::integer AS once', [1]);
  await run('SELECT 1 AS without_values', [], 2);
  await run(`SELECT $1::integer AS n, '${'long'.repeat(3_000)}'`, [1], 2);
  await run(sql`SELECT ${1}::integer AS n ${customPlan}`.text, [1], 2);
  expect(await preparedTexts()).toEqual([]);
  await control('START TRANSACTION');
  await run('SELECT $1::integer AS within', [1], 3);
  await control('ROLLBACK');
  expect(await run('SELECT $1::integer AS within', [1], 3)).toEqual([{ within: 1 }]);
  expect(await run('SELECT $1::integer AS again', [1], 3)).toEqual([{ again: 1 }]);
  expect(await preparedTexts()).toEqual([
    ...['SELECT $1::integer AS within', 'SELECT $1::integer AS again'],
  ]);
});

it('prepared statements are closed when a hundred other texts have been used since', async () => {
  const text = (n: number) => `SELECT $1::integer AS n${n}`;
  for (let n = 0; n < 110; n += 1) await run(text(n), [n], 2);
  await run(text(10), [1]);
  await run(text(110), [110], 2);
  const kept = Array.from({ length: 101 }, (_, index) => text(10 + index));
  expect(await preparedTexts()).toEqual(kept.filter((kept) => kept !== text(11)));
  expect(await run(text(11), [11], 2)).toEqual([{ n11: 11 }]);
});

it('prepared statements are prepared anew after 5 seconds, then after 10, for tables that have grown', async () => {
  const plan = async () => {
    await run('SELECT n FROM items WHERE n = $1', [1], 9);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE s${name} (1)`);
    return rows[0]?.['QUERY PLAN'];
  };
  let name = 1;
  await observer.query('CREATE INDEX ON items (n); ANALYZE items');
  await observer.query('INSERT INTO items VALUES (1); ANALYZE items');
  expect(await plan()).toContain('Seq Scan');
  await observer.query('INSERT INTO items SELECT * FROM generate_series(1, 20000)');
  expect(await plan()).toContain('Seq Scan');
  clock.step(5_000);
  name = 2;
  expect(await plan()).not.toContain('Seq Scan');
  clock.step(5_000);
  expect(await plan()).not.toContain('Seq Scan');
  clock.step(5_000);
  name = 3;
  expect(await plan()).not.toContain('Seq Scan');
  expect(await preparedTexts()).toEqual(['SELECT n FROM items WHERE n = $1']);
});

it('prepared statements are prepared again and repeated when a migration has changed their columns', async () => {
  await observer.query('INSERT INTO items VALUES (1)');
  const all = 'SELECT * FROM items WHERE n = $1';
  expect(await run(all, [1], 3)).toEqual([{ n: 1 }]);
  await observer.query(`ALTER TABLE items ADD COLUMN name text DEFAULT 'new'`);
  expect(await run(all, [1], 3)).toEqual([{ n: 1, name: 'new' }]);
  await observer.query('ALTER TABLE items ALTER COLUMN n TYPE numeric');
  expect(await run(all, [1])).toEqual([{ n: '1', name: 'new' }]);
  expect(await preparedTexts()).toEqual([]);
  expect(await run(all, [1], 2)).toEqual([{ n: '1', name: 'new' }]);
  expect(await preparedTexts()).toEqual([all]);
});

it('prepared statements fail a transaction once when a migration has changed their columns', async () => {
  const all = 'SELECT * FROM items WHERE n = $1';
  const others = 'SELECT *, 1 AS other FROM items WHERE n = $1';
  const inTransaction = async (text: string) => {
    await control('START TRANSACTION');
    try {
      return await run(text, [1]);
    } finally {
      await control('ROLLBACK');
    }
  };
  await run(all, [1], 3);
  await run(others, [1], 3);
  await observer.query(`ALTER TABLE items ADD COLUMN name text`);
  await expect(inTransaction(all)).rejects.toThrow('must not change result type');
  expect(await inTransaction(all)).toEqual([]);
  expect(await inTransaction(others)).toEqual([]);
});

it('prepared statements are used after a use that failed, and after a text that could not be prepared', async () => {
  const quotient = 'SELECT 1 / $1::integer AS n';
  await run(quotient, [1], 2);
  await expect(run(quotient, [0])).rejects.toThrow('division by zero');
  expect(await run(quotient, [1])).toEqual([{ n: 1 }]);
  expect(await preparedTexts()).toEqual([quotient]);

  const missing = 'SELECT n FROM missing WHERE n = $1';
  for (let time = 0; time < 3; time += 1) {
    await expect(run(missing, [1])).rejects.toThrow('does not exist');
  }
  await observer.query('CREATE TABLE missing AS SELECT 1 AS n');
  expect(await run(missing, [1], 3)).toEqual([{ n: 1 }]);
  expect(await preparedTexts()).toEqual([quotient, missing]);
  await observer.query('DROP TABLE missing');
});

it('prepared statements are used after values that cannot be sent', async () => {
  const circular: Record<string, unknown> = {};
  circular['itself'] = circular;
  const text = 'SELECT $1::json AS value';
  for (const value of [circular, circular, '1', circular, '2']) {
    const sent = run(text, [value]);
    await (value === circular ? expect(sent).rejects.toThrow('circular') : sent);
  }
  expect(await run(text, ['{}'], 3)).toEqual([{ value: {} }]);
  expect(await preparedTexts()).toEqual([text]);
});
