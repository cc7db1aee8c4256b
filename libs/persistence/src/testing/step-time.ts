import { clock } from '@registrar/platform';
import * as z from 'zod';
import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';

/**
 * Moves the time of this process and of contexts' schemas forward, so that suites need not wait.
 *
 * A schema gets functions `now()` and `clock_timestamp()` of its own. Statements find them before
 * PostgreSQL's, because `pg_catalog` comes after the schema in their search path. Defaults of columns
 * are changed to them. The process's time moves last: what its pauses end with finds the schemas' new time.
 *
 * @param seconds by which the time moves forward
 */
export async function stepTime(seconds: number, ...databases: readonly Database[]): Promise<void> {
  const ms = seconds * 1_000;
  for (const database of databases) {
    const { isFirst } = await database.one(
      z.object({ isFirst: z.boolean() }),
      sql`SELECT to_regprocedure(format('%I.now()', current_schema())) IS NULL AS "isFirst"`,
    );
    await database.execute(raw(createFunctions(clock.steppedMs + ms)));
    if (isFirst) await changeDefaults(database);
  }
  clock.step(ms);
}

const createFunctions = (steppedMs: number): string => `
  DO $$
  BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION %I.now() RETURNS timestamptz STABLE
      RETURN pg_catalog.now() + interval ''${steppedMs} ms''', current_schema());
    EXECUTE format('CREATE OR REPLACE FUNCTION %I.clock_timestamp() RETURNS timestamptz VOLATILE
      RETURN pg_catalog.clock_timestamp() + interval ''${steppedMs} ms''', current_schema());
  END $$`;

/**
 * Makes columns take their default times from the functions of the schema. Each column is changed in a
 * transaction of its own: one that locked several tables could deadlock with the statements of a running app.
 */
async function changeDefaults(database: Database): Promise<void> {
  const commands = await database.many(
    z.object({ command: z.string() }),
    sql`
      SELECT format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', a.attrelid::regclass, a.attname,
                    replace(pg_get_expr(d.adbin, d.adrelid), 'pg_catalog.', '')) AS command
      FROM pg_attrdef AS d
      JOIN pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
      JOIN pg_class AS c ON c.oid = a.attrelid AND NOT c.relispartition
      WHERE c.relnamespace = current_schema()::regnamespace AND a.attgenerated = ''
        AND pg_get_expr(d.adbin, d.adrelid) ~ '(now|clock_timestamp)\\(\\)'`,
  );
  for (const { command } of commands) await database.execute(raw(command));
  // The update of `pg_namespace` makes all connections look the functions up anew, in prepared statements too.
  await database.execute(
    raw(`DO $$ BEGIN
      EXECUTE format('GRANT USAGE ON SCHEMA %I TO CURRENT_USER', current_schema());
    END $$`),
  );
}
