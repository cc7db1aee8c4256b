import { clock, withDeadline } from '@registrar/platform';
import pg from 'pg';
import type { Database } from './database.ts';
import { poolOf } from './pool-gauges.ts';
import { sql } from './sql.ts';

/** The time limits for the response through the pool, and outside of it: milliseconds. */
const timeoutMs = 2_000;
const directTimeoutMs = 1_000;

/**
 * Why an app's database does not answer, as a text without secrets; null when it does. It takes 3
 * seconds at most.
 */
export async function databaseFault(database: Database): Promise<string | null> {
  if (await succeeds(database.execute(sql`SELECT 1`), timeoutMs)) return null;
  const pool = poolOf(database.dataSource);
  const isExhausted = pool.idleCount === 0 && pool.totalCount >= (pool.options.max ?? 0);
  return isExhausted && (await answersDirectly(pool))
    ? `all ${pool.totalCount} connections to the database are busy; the database itself answers`
    : 'the database does not answer';
}

/** Whether the database of a pool answers on a new connection. */
async function answersDirectly(pool: pg.Pool): Promise<boolean> {
  const client = new pg.Client({ ...pool.options, connectionTimeoutMillis: directTimeoutMs });
  client.on('error', () => undefined);
  try {
    return await succeeds(
      client.connect().then(() => client.query('SELECT 1')),
      directTimeoutMs,
    );
  } finally {
    // Without waiting: a server that does not answer does not confirm it.
    void client.end().catch(() => undefined);
  }
}

const succeeds = (work: Promise<unknown>, limitMs: number): Promise<boolean> =>
  withDeadline(work, clock.now() + limitMs, 'the check of the database').then(
    () => true,
    () => false,
  );
