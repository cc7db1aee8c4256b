import { afterAll, beforeAll, expect, it } from 'vitest';
import { busMigrations } from '@registrar/bus';
import { openDatabase, type Database, migrationsClient, sql } from '@registrar/persistence';
import {
  ConnectionPooler,
  createTestDatabase,
  eventually,
  findPgBouncer,
  freePort,
  type TestDatabase,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import pg from 'pg';
import { run } from '../operator.fixture.ts';

let server: TestDatabase;
let catalog: Database;

beforeAll(async () => {
  server = await createTestDatabase();
  // Some of catalog's migrations, and no other context's, as after a deployment that failed.
  const schema = { name: 'catalog', entities: [], migrations: busMigrations };
  catalog = await openDatabase(schema, server.url);
});
afterAll(async () => {
  await catalog?.dataSource.destroy();
  await server?.drop();
});

/** The doctor's lines of one check. */
async function linesOf(check: string, settings: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const AMQP_URL = `amqp://127.0.0.1:${await freePort()}`;
  const environment = { DATABASE_URL: server.url, AMQP_URL, ...settings };
  const { stdout } = await run(['doctor'], { environment });
  return stdout.split('\n').filter((line) => line.slice(6).startsWith(`${check}: `));
}

/** Waits until a check has one line, in which `…` stands for times and processes. */
const lineBecomes = (check: string, expected: string) =>
  eventually(`the line is ${expected}`, async () => {
    const lines = await linesOf(check);
    const shown = lines.map((line) =>
      line.replace(/for \d+ s\b/, 'for … s').replaceAll(/(process |backend\()\d+/g, '$1…'),
    );
    return shown.join() === expected;
  });

it('names the schemas that were not migrated, and what they lack', async () => {
  const [line] = await linesOf('schema catalog');
  expect(line).toMatch(
    /^fail {2}schema catalog: it is older than this version: it lacks \d{13}-catalog\./,
  );
  expect(line).not.toContain(busMigrations[0]!.name);
  expect(line).toContain('. To do: before its app starts: registrar migrate catalog');
  const [other] = await linesOf('schema enrolment');
  expect(other).toContain(busMigrations[0]!.name);
  expect(other).toContain('. To do: before its app starts: registrar migrate enrolment');
});

it('names the process that holds the lock of migrations', async () => {
  expect(await linesOf('migrations')).toEqual(['ok    migrations: none runs']);
  const frozen = new pg.Client({
    connectionString: server.url,
    application_name: migrationsClient,
  });
  await frozen.connect();
  await frozen.query('SELECT pg_advisory_lock(hashtext($1))', [migrationsClient]);
  await lineBecomes(
    'migrations',
    'warn  migrations: process … of PostgreSQL has been migrating for … s. To do: let it finish; ' +
      'if the program that migrates is frozen or gone: SELECT pg_terminate_backend(…), then ' +
      'registrar migrate',
  );
  await frozen.end();
});

it('names the context whose connections are all busy', async () => {
  expect(await linesOf('connections')).toEqual(['ok    connections: every replica has some left']);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const transactions = Array.from({ length: 10 }, () =>
    catalog.transaction(async () => {
      await catalog.execute(sql`SELECT 1`);
      await released;
    }),
  );
  await lineBecomes(
    'connections',
    'fail  connections: all 10 connections of catalog are busy, the oldest transaction for … s. To ' +
      'do: see what they do: SELECT pid, state, wait_event_type, query FROM pg_stat_activity WHERE ' +
      "application_name = 'registrar catalog'; end what hangs, or run more replicas",
  );
  release();
  await Promise.all(transactions);
});

it('reports a server for reports that is not a standby of the database, and one that cannot be reached', async () => {
  const look = (url: string) => linesOf('standby for reports', { REPORTS_DATABASE_URL: url });
  expect(await linesOf('standby for reports')).toEqual([]);
  expect(await look(server.url)).toEqual([
    expect.stringMatching(
      /^fail {2}.*: the server at REPORTS_DATABASE_URL is no standby of that at/,
    ),
  ]);
  const away = new URL(server.url);
  away.port = String(await freePort());
  expect(await look(away.href)).toEqual([
    expect.stringMatching(/^fail {2}.* cannot be reached .* correct REPORTS_DATABASE_URL;/),
  ]);
});

describeWith(findPgBouncer(), 'the doctor, through a pooler', (program) => {
  it.each([
    ['session', /^ok {4}database: PostgreSQL \d+\.\d+, through a pooler in session mode$/],
    ['transaction', /^fail {2}database: a connection pooler .+\. To do: set pool_mode = session/],
  ] as const)('reports a pooler in %s mode', async (mode, expected) => {
    const pooler = await ConnectionPooler.start(program, server.url, mode);
    expect(await linesOf('database', { DATABASE_URL: pooler.addressOf(server.url) })).toEqual([
      expect.stringMatching(expected),
    ]);
    await pooler.stop();
  });
});
