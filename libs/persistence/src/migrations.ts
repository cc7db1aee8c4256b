import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { ContextSchema } from './persistence-module.ts';
import { reachServer } from './reach-server.ts';

const poolSize = 10;

/** How long work waits for a connection of the pool before it fails: milliseconds. */
const connectTime = 10_000;

/**
 * A process that froze in a transaction keeps its locks no longer than any operation may wait in
 * one for something else.
 */
const limits = '-c idle_in_transaction_session_timeout=40s';

/** How often {@link awaitSchema} looks: milliseconds. */
const lookInterval = 1_000;

const log = new Logger('persistence');

/** A context's connections; the schema is as it is. */
export function dataSourceOf(schema: ContextSchema, url: string): DataSource {
  const options: DataSourceOptions = {
    type: 'postgres',
    url,
    schema: schema.name,
    entities: [...schema.entities],
    migrations: [...schema.migrations],
    migrationsTableName: 'migrations',
    connectTimeoutMS: connectTime,
    applicationName: `registrar ${schema.name}`,
    extra: { max: poolSize, options: `-c search_path=${schema.name},public ${limits}` },
  };
  return new DataSource(options);
}

/**
 * Brings a context's schema to the newest version. Several replicas may start at once: an
 * advisory lock lets one of them work while the others wait.
 *
 * @returns the names of the migrations that it took
 */
export async function migrate(
  dataSource: DataSource,
  schema: string,
  url: string,
): Promise<string[]> {
  const lock = await reachServer({
    connectionString: url,
    application_name: 'registrar migrations',
  });
  try {
    await lock.query(`SELECT pg_advisory_lock(hashtext('registrar migrations'))`);
    await createSchema(lock, schema);
    await dataSource.initialize();
    const migrations = await dataSource.runMigrations({ transaction: 'each' });
    return migrations.map(({ name }) => name);
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw error;
  } finally {
    await lock.end();
  }
}

/** {@link migrate} for its own sake. */
export async function migrateSchema(schema: ContextSchema, url: string): Promise<string[]> {
  const dataSource = dataSourceOf(schema, url);
  const migrations = await migrate(dataSource, schema.name, url);
  await dataSource.destroy();
  return migrations;
}

/** Resolves when the schema has every migration that this version knows, and perhaps more. */
export async function awaitSchema(schema: ContextSchema, url: string): Promise<void> {
  for (let told = ''; ; await pause(lookInterval)) {
    const missing = (await missingMigrations(schema, url)).join(', ');
    if (missing === '') return;
    if (missing !== told) log.warn(`waiting for migrations of ${schema.name}: ${missing}`);
    told = missing;
  }
}

async function missingMigrations(schema: ContextSchema, url: string): Promise<string[]> {
  const client = await reachServer({ connectionString: url });
  try {
    const done = (await migrationsDone(client, schema.name)).map(({ name }) => name);
    return schema.migrations.map(({ name }) => name).filter((name) => !done.includes(name));
  } finally {
    await client.end();
  }
}

/** The migrations that a schema has had, in their order; none where there is no such schema. */
export async function migrationsDone(
  client: pg.Client | pg.Pool,
  schema: string,
): Promise<{ timestamp: string; name: string }[]> {
  const table = `${pg.escapeIdentifier(schema)}.migrations`;
  const [found] = (await client.query('SELECT to_regclass($1) AS found', [table])).rows as [
    { found: string | null },
  ];
  if (found.found === null) return [];
  const { rows } = await client.query<{ timestamp: string; name: string }>(
    `SELECT timestamp, name FROM ${table} ORDER BY id`,
  );
  return rows;
}

/**
 * Makes a schema where there is none. `CREATE SCHEMA IF NOT EXISTS` would not do: it needs the
 * right to make schemas even when there is nothing to make.
 */
export async function createSchema(
  runner: { query(sql: string): Promise<unknown> },
  name: string,
): Promise<void> {
  const schema = pg.escapeIdentifier(name);
  await runner.query(`
    DO $$ BEGIN
      IF to_regnamespace('${schema}') IS NULL THEN CREATE SCHEMA ${schema}; END IF;
    END $$`);
}
