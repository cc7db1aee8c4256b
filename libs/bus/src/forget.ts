import type { Database } from '#libs/persistence';

/** How many rows are deleted at a time: a statement that takes long would hold up what is new. */
const atATime = 5_000;

/**
 * Deletes rows that nobody needs any more.
 *
 * @param which SQL text: a table of the bus and a condition, `table WHERE …`
 * @returns whether there may be more
 */
export async function forget(database: Database, which: string): Promise<boolean> {
  const [table] = which.split(' ', 1);
  const [forgotten] = await database.query<{ count: number }>(
    `WITH forgotten AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${which} LIMIT ${atATime}))
       RETURNING 1
     )
     SELECT count(*)::integer AS count FROM forgotten`,
  );
  return forgotten?.count === atATime;
}
