import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** An empty database of a suite's own. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Where the suites' PostgreSQL runs; set by Jest's global setup. */
export const testServerVariable = 'REGISTRAR_TEST_POSTGRES';

/** Makes an empty database in the PostgreSQL that the test run started. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env[testServerVariable];
  if (!serverUrl) throw new Error(`${testServerVariable} is not set: run the suites through Jest`);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
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
