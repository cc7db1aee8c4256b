import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import * as z from 'zod';
import type { ContextSchema } from '../context-data-source.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../persistence.module.ts';
import { raw, sql } from '../sql.ts';

/**
 * What a version of a context writes: SQL that inserts into every table of a migration, by the
 * beginning of the migration's name. Its parameter is unique to each run.
 */
export type MigrationSamples = Readonly<Record<string, (run: number) => string>>;

const anyRow = z.record(z.string(), z.unknown());
type Row = Readonly<z.infer<typeof anyRow>>;

/** For the tables of libs/bus, which every context has. */
const busSamples: MigrationSamples = {
  Bus1: (run) => `
    INSERT INTO outbox (name, payload, subscribers, request_id)
      VALUES ('suite.happened', '{"run": ${run}}', '{suite}', 'request-${run}');
    INSERT INTO inbox (message_id) VALUES (gen_random_uuid());
    INSERT INTO outcomes (key_hash, outcome) VALUES ('key-${run}', 'sealed');
    INSERT INTO key_uses (key_hash, parameters_hash) VALUES ('key-${run}', 'parameters');
    INSERT INTO parked_events (message_id, content, attempts, reason)
      VALUES ('message-${run}', 'noise', 1, 'broken')`,
};

/**
 * A next version's migration that is made up for the suite, so that upgrades are tested before the
 * first one exists. It adds a column and an index to every table.
 */
class MadeUp9000000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ DECLARE name text; BEGIN
        FOR name IN
          SELECT tablename FROM pg_tables
          WHERE schemaname = current_schema AND tablename <> 'migrations'
        LOOP
          EXECUTE format('ALTER TABLE %I ADD COLUMN made_up text DEFAULT ''next''', name);
          EXECUTE format('CREATE INDEX ON %I (made_up)', name);
        END LOOP;
      END $$`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/**
 * Tests rolling upgrades: applies the migrations one by one, and a made-up one after them. After each,
 * all earlier versions can still write, and the rows that they wrote are unchanged.
 *
 * @param samples what the versions write
 */
export function describeMigrations(schema: ContextSchema, samples: MigrationSamples): void {
  const steps = [...schema.migrations, MadeUp9000000000000];
  const next = { ...schema, migrations: steps };

  describe(`the migrations of ${schema.name}`, () => {
    let fresh: TestDatabase;
    let old: TestDatabase;
    beforeAll(async () => {
      [fresh, old] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    });
    afterAll(() => Promise.all([fresh.drop(), old.drop()]));

    it(`the migrations of ${schema.name} keep the rows of every earlier version and result in the schema of a new installation`, async () => {
      const all = { ...busSamples, ...samples };
      let before: ReadonlyMap<string, readonly Row[]> = new Map();
      for (let version = 1; version <= steps.length; version += 1) {
        const migrations = steps.slice(0, version);
        const database = await openDatabase({ ...schema, migrations }, old.url);
        const after = await readAllRows(database);
        for (const [table, rows] of before) {
          const now = after.get(table) ?? [];
          const columns = Object.keys(rows[0] ?? {}).filter((name) => name in (now[0] ?? {}));
          expect([table, sortedRows(now, columns)]).toEqual([table, sortedRows(rows, columns)]);
        }
        for (const { name } of migrations) {
          const sample = Object.keys(all).find((begin) => name.startsWith(begin));
          if (sample) await database.execute(raw(all[sample]?.(version) ?? ''));
        }
        before = await readAllRows(database);
        expect([...before].filter(([, rows]) => rows.length === 0)).toEqual([]);
        await database.dataSource.destroy();
      }
      const upgraded = await openDatabase(next, old.url);
      const created = await openDatabase(next, fresh.url);
      expect(await readSchemaColumns(upgraded, schema)).toEqual(
        await readSchemaColumns(created, schema),
      );
      await upgraded.dataSource.destroy();
      await created.dataSource.destroy();
    });
  });
}

const columnRow = z.object({
  relation: z.string(),
  name: z.string(),
  type: z.string(),
  required: z.boolean(),
  indexed: z.string().nullable(),
});

/** Reads the columns of all tables, views, sequences and indexes of a schema. */
const readSchemaColumns = (database: Database, { name }: ContextSchema): Promise<object[]> =>
  database.many(
    columnRow,
    sql`SELECT c.relname AS relation, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
            a.attnotnull AS required, pg_get_indexdef(c.oid, a.attnum, false) AS indexed
     FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
     WHERE c.relnamespace = ${name}::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY 1, 2`,
  );

/** Reads the rows of every table except for the table of migrations. */
async function readAllRows(database: Database): Promise<Map<string, Row[]>> {
  const tables = await database.many(
    z.object({ name: z.string() }),
    sql`SELECT tablename AS name FROM pg_tables
        WHERE schemaname = current_schema AND tablename <> 'migrations'`,
  );
  const rows = new Map<string, Row[]>();
  for (const { name } of tables) {
    rows.set(name, await database.many(anyRow, sql`SELECT * FROM ${raw(name)}`));
  }
  return rows;
}

/** Sorts the rows, because a migration may change their order. */
const sortedRows = (rows: readonly Row[], columns: readonly string[]) =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).sort();
