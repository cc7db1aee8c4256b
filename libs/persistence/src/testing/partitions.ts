import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import * as z from 'zod';
import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';

const text = z.object({ text: z.string() });

/** The tables to divide, each with the column that chooses the partition of a row. */
export type PartitionColumns = Readonly<Record<string, string>>;

/**
 * Divides empty tables of a suite's database into list partitions, one for each value of their
 * column, with the same constraints, indexes, triggers and views. The planner may not join by nested
 * loops any more unless nothing else is possible: those would read one partition where another
 * plan of the same statement reads all.
 *
 * @throws {QueryFailedError} if a unique index lacks the column
 */
export async function partitionTables(
  database: Database,
  columns: PartitionColumns,
  values: readonly number[],
): Promise<PartitionScans> {
  const names = Object.keys(columns);
  await database.transaction(async () => {
    const views = await database.many(text, viewDefinitions);
    const triggers = await database.many(
      text,
      sql`SELECT pg_get_triggerdef(t.oid) AS text
          FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
          WHERE c.relnamespace = current_schema::regnamespace AND c.relname = ANY(${names})
            AND NOT t.tgisinternal`,
    );
    for (const [table, column] of Object.entries(columns)) {
      await database.execute(raw(`ALTER TABLE ${table} RENAME TO whole_${table}`));
      await database.execute(
        raw(
          `CREATE TABLE ${table} (LIKE whole_${table} INCLUDING ALL) PARTITION BY LIST (${column})`,
        ),
      );
      for (const value of values) {
        await database.execute(
          raw(`CREATE TABLE ${table}_${value} PARTITION OF ${table} FOR VALUES IN (${value})`),
        );
      }
    }
    for (const definition of [...views, ...triggers]) await database.execute(raw(definition.text));
    for (const table of names) await database.execute(raw(`DROP TABLE whole_${table}`));
    await database.execute(
      sql`DO $$ BEGIN
            EXECUTE format('ALTER DATABASE %I SET enable_nestloop = off', current_database());
          END $$`,
    );
  });
  const partitions = names.flatMap((table) => values.map((value) => `${table}_${value}`));
  const scans = new PartitionScans(database, partitions);
  await scans.take();
  return scans;
}

/** In the order of their creation, so that views of views come last. */
const viewDefinitions = sql`
  SELECT format(
           'CREATE OR REPLACE VIEW %s %s AS %s', c.oid::regclass,
           'WITH (' || array_to_string(c.reloptions, ', ') || ')', pg_get_viewdef(c.oid)
         ) AS text
  FROM pg_class AS c
  WHERE c.relkind = 'v'
    AND c.relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema', 'public')
  ORDER BY c.oid`;

/** Tells which partitions statements have read, by PostgreSQL's own statistics. */
export class PartitionScans {
  constructor(
    private readonly database: Database,
    private readonly partitions: readonly string[],
  ) {}

  /** Returns the partitions that were read since the last call. */
  async take(): Promise<string[]> {
    const { url } = this.database.dataSource.options as { readonly url: string };
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await this.#endBackends(client);
      const { rows } = await client.query<{ name: string }>(
        sql`SELECT relname AS name FROM pg_stat_user_tables
            WHERE relname = ANY(${this.partitions}) AND seq_scan + coalesce(idx_scan, 0) > 0
            ORDER BY relname`,
      );
      await client.query('SELECT pg_stat_reset()');
      return rows.map(({ name }) => name);
    } finally {
      await client.end();
      // The pool notices that its connections have ended.
      await nextTurn();
    }
  }

  /** Ends the backends of the context as they become idle: they report their statistics then. */
  async #endBackends(client: pg.Client): Promise<void> {
    const { applicationName } = this.database.dataSource.options as {
      readonly applicationName: string;
    };
    for (let working = true; working;) {
      const { rows } = await client.query<{ ended: boolean }>(
        sql`SELECT state = 'idle' AND pg_terminate_backend(pid, 10000) AS ended
            FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = ${applicationName}`,
      );
      working = rows.some(({ ended }) => !ended);
    }
  }
}
