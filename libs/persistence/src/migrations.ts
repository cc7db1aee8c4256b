import { clock } from '@registrar/platform';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { type Migration, MigrationExecutor } from 'typeorm';
import {
  ContextDataSource,
  type ContextSchema,
  dataSourceOptions,
  statementTimeout,
} from './context-data-source.ts';
import { connectWithRetry } from './connect-with-retry.ts';
import { requireOwnBackend } from './pooling.ts';
import { sql } from './sql.ts';

/** The name of the connection that migrates, and of the advisory lock that it holds. */
export const migrationsClient = 'registrar migrations';

const pollIntervalMs = 1_000;

const log = new Logger('persistence');

/**
 * Opens the connections of a context and migrates its schema to the newest version. Several
 * replicas may start at once: an advisory lock lets one of them migrate while the others wait.
 *
 * @throws {SettingsError} when a pooler changes the server process of a connection
 */
export async function openDataSource(
  schema: ContextSchema,
  url: string,
): Promise<ContextDataSource> {
  const { dataSource } = await openAndMigrate(schema, url);
  return dataSource;
}

/** Migrates a context's schema and returns the names of the migrations that were missing. */
export async function migrateSchema(schema: ContextSchema, url: string): Promise<string[]> {
  const { dataSource, migrations } = await openAndMigrate(schema, url);
  await dataSource.destroy();
  return migrations;
}

async function openAndMigrate(
  schema: ContextSchema,
  url: string,
): Promise<{ dataSource: ContextDataSource; migrations: string[] }> {
  const connect = () =>
    connectWithRetry({ connectionString: url, application_name: migrationsClient });
  const lock = await connect();
  const dataSource = new ContextDataSource(dataSourceOptions(schema, url));
  try {
    // Before the lock, which such a pooler would keep.
    await requireOwnBackend(lock, connect);
    await lock.query(sql`SELECT pg_advisory_lock(hashtext(${migrationsClient}))`);
    await createSchemaIfMissing(lock, schema.name);
    await dataSource.initialize();
    const migrations = await runMigrations(dataSource);
    return { dataSource, migrations: migrations.map(({ name }) => name) };
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw error;
  } finally {
    await lock.end();
  }
}

/** A migration may take as long as it needs. */
async function runMigrations(dataSource: ContextDataSource): Promise<Migration[]> {
  const runner = dataSource.createOwnRunner();
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'each';
  try {
    await runner.query('SET statement_timeout = 0');
    const migrations = await executor.executePendingMigrations();
    await runner.query(`SET statement_timeout = '${statementTimeout}'`);
    return migrations;
  } finally {
    await runner.release();
  }
}

/**
 * Resolves when every migration of this version was applied to the schema.
 *
 * @throws {SettingsError} when a pooler changes the server process of a connection
 */
export async function waitForMigrations(schema: ContextSchema, url: string): Promise<void> {
  for (let logged = ''; ; await clock.sleep(pollIntervalMs)) {
    const missing = (await missingMigrations(schema, url)).join(', ');
    if (missing === '') return;
    if (missing !== logged) log.warn(`waiting for migrations of ${schema.name}: ${missing}`);
    logged = missing;
  }
}

async function missingMigrations(schema: ContextSchema, url: string): Promise<string[]> {
  const connect = () => connectWithRetry({ connectionString: url });
  const client = await connect();
  try {
    await requireOwnBackend(client, connect);
    const applied = (await appliedMigrations(client, schema.name)).map(({ name }) => name);
    return schema.migrations.map(({ name }) => name).filter((name) => !applied.includes(name));
  } finally {
    await client.end();
  }
}

/** The migrations that were applied to a schema, in order; none if the schema does not exist. */
export async function appliedMigrations(
  client: pg.Client | pg.Pool,
  schema: string,
): Promise<{ timestamp: string; name: string }[]> {
  const table = `${pg.escapeIdentifier(schema)}.migrations`;
  const [found] = (await client.query(sql`SELECT to_regclass(${table}) AS found`)).rows as [
    { found: string | null },
  ];
  if (found.found === null) return [];
  const { rows } = await client.query<{ timestamp: string; name: string }>(
    `SELECT timestamp, name FROM ${table} ORDER BY id`,
  );
  return rows;
}

/**
 * Creates a schema unless it exists. `CREATE SCHEMA IF NOT EXISTS` requires the privilege to create
 * schemas even if it exists.
 */
export async function createSchemaIfMissing(
  runner: { query(sql: string): Promise<unknown> },
  name: string,
): Promise<void> {
  const schema = pg.escapeIdentifier(name);
  await runner.query(`
    DO $$ BEGIN
      IF to_regnamespace('${schema}') IS NULL THEN CREATE SCHEMA ${schema}; END IF;
    END $$`);
}
