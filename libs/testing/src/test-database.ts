import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database for one suite. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Environment variable with the URL of the suites' PostgreSQL server; Vitest's global setup sets it. */
export const testPostgresVariable = 'REGISTRAR_TEST_POSTGRES';

/**
 * Creates a database in the PostgreSQL server of the test run.
 *
 * @param template the database to copy; an empty one by default
 */
export async function createTestDatabase(template = 'template1'): Promise<TestDatabase> {
  const serverUrl = process.env[testPostgresVariable];
  if (!serverUrl) {
    throw new Error(`${testPostgresVariable} is not set: run the suites with Vitest`);
  }
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Without fsync a copy of the files takes less than half of the time of one that is written to the WAL.
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
