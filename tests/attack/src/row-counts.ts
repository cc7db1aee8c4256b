import pg from 'pg';
import * as z from 'zod';
import type { Target } from './target.ts';

/** The number of rows of each table, by its name. */
type RowCounts = ReadonlyMap<string, number>;

/** The tables that change although no client does anything: the crawler's, and those of the bus. */
const restless = /^crawler\.|\.(inbox|outbox|idempotency\w*|parked\w*)$/;

const tableRow = z.object({ name: z.string(), count: z.coerce.number() });

/** Counts the rows of every table that only requests change. */
export async function countRows({ databaseUrl }: Target): Promise<RowCounts> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT schemaname || '.' || tablename AS name,
              (xpath('//text()', query_to_xml(format('SELECT count(*) FROM %I.%I', schemaname, tablename), false, true, '')))[1]::text AS count
       FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const counts = z.array(tableRow).parse(rows);
    return new Map(
      counts.filter(({ name }) => !restless.test(name)).map(({ name, count }) => [name, count]),
    );
  } finally {
    await client.end();
  }
}

/** Returns a line for each table that has other rows than before, by their number. */
export async function changedTables(target: Target, before: RowCounts): Promise<string[]> {
  const after = await countRows(target);
  return [...after]
    .filter(([table, count]) => before.get(table) !== count)
    .map(([table, count]) => `${table} had ${before.get(table)} rows and has ${count}`);
}
