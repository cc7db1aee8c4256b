import type * as Jest from '@jest/globals';
import { type ContextSchema, type Database, openDatabase } from '#libs/persistence';
import { createTestDatabase, type TestDatabase } from './databases.ts';

/**
 * What a version of a context writes, by the beginning of the name of the migration that made room
 * for it: SQL that adds to every table of that migration, given a number that no other run has.
 */
export type SchemaWrites = Readonly<Record<string, (run: number) => string>>;

type Row = Readonly<Record<string, unknown>>;

/** Of the tables that every context has (libs/bus). */
const busWrites: SchemaWrites = {
  Bus1: (run) => `
    INSERT INTO outbox (name, payload, subscribers, request_id)
      VALUES ('suite.happened', '{"run": ${run}}', '{suite}', 'request-${run}');
    INSERT INTO inbox (message_id) VALUES (gen_random_uuid())`,
  Outcomes1: (run) => `
    INSERT INTO outcomes (key_hash, outcome) VALUES ('key-${run}', 'sealed')`,
  ParkedEvents1: (run) => `
    INSERT INTO parked_events (message_id, content, attempts, reason)
      VALUES ('message-${run}', 'noise', 1, 'broken')`,
};

/**
 * A rolling upgrade on one schema: it takes its migrations one by one, and after each of them the
 * versions before it go on writing as they did. The versions of the test are as many as the
 * migrations.
 */
export function describeSchemaSteps(
  { describe, it, expect, beforeAll, afterAll }: typeof Jest,
  schema: ContextSchema,
  writes: SchemaWrites,
): void {
  describe(`the steps of the schema ${schema.name}`, () => {
    let fresh: TestDatabase;
    let old: TestDatabase;
    beforeAll(async () => {
      [fresh, old] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    });
    afterAll(() => Promise.all([fresh.drop(), old.drop()]));

    it('take what every earlier version writes, keep it, and lead where a new schema is', async () => {
      const all = { ...busWrites, ...writes };
      let before: ReadonlyMap<string, readonly Row[]> = new Map();
      for (let version = 1; version <= schema.migrations.length; version += 1) {
        const migrations = schema.migrations.slice(0, version);
        const database = await openDatabase({ ...schema, migrations }, old.url);
        const after = await rowsOf(database);
        for (const [table, rows] of before) {
          const now = after.get(table) ?? [];
          const kept = Object.keys(rows[0] ?? {}).filter((name) => name in (now[0] ?? {}));
          expect([table, shown(now, kept)]).toEqual([table, shown(rows, kept)]);
        }
        for (const { name } of migrations) {
          const write = Object.keys(all).find((begin) => name.startsWith(begin));
          if (write) await database.query(all[write]?.(version) ?? '');
        }
        before = await rowsOf(database);
        expect([...before].filter(([, rows]) => rows.length === 0)).toEqual([]);
        await database.dataSource.destroy();
      }
      const stepped = await openDatabase(schema, old.url);
      const whole = await openDatabase(schema, fresh.url);
      expect(await shapeOf(stepped, schema)).toEqual(await shapeOf(whole, schema));
      await stepped.dataSource.destroy();
      await whole.dataSource.destroy();
    });
  });
}

/** What tells one schema from another: its columns and its indexes. */
export const shapeOf = (database: Database, { name }: ContextSchema): Promise<object[]> =>
  database.query(
    `SELECT c.relname AS of, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
            a.attnotnull AS required, pg_get_indexdef(c.oid, a.attnum, false) AS indexed
     FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
     WHERE c.relnamespace = $1::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY 1, 2`,
    [name],
  );

/** The rows of every table but that of the migrations. */
async function rowsOf(database: Database): Promise<Map<string, Row[]>> {
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = current_schema AND tablename <> 'migrations'`,
  );
  const found = new Map<string, Row[]>();
  for (const { name } of tables) found.set(name, await database.query(`SELECT * FROM ${name}`));
  return found;
}

/** In an order of their own, whatever a migration did to theirs. */
const shown = (rows: readonly Row[], columns: readonly string[]) =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).sort();
