import { type Database, raw, type Sql, sql } from '@registrar/persistence';

/** Rows that one statement deletes. A longer statement would delay the writers of the table. */
const batchSize = 5_000;

/**
 * Deletes at most one batch of the rows of a table that match a condition.
 *
 * @returns whether there may be more such rows
 */
export async function pruneRows(
  database: Database,
  table: 'inbox' | 'outcomes',
  condition: Sql,
): Promise<boolean> {
  const name = raw(table);
  const deleted = await database.execute(
    sql`DELETE FROM ${name} WHERE ctid = ANY (
          ARRAY(SELECT ctid FROM ${name} WHERE ${condition} LIMIT ${batchSize}))`,
  );
  return deleted === batchSize;
}
