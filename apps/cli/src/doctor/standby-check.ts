import { selectPrimaryPlace, selectStandbyPlace, type Sql } from '@registrar/persistence';
import { clock } from '@registrar/platform';
import type pg from 'pg';
import { type Check, fail, type Finding, ok, warn } from './check.ts';
import { connectTo } from './database-checks.ts';

/** How long a standby may take to replay what the primary has: milliseconds. */
const replayTimeMs = 5_000;
const pollIntervalMs = 200;

/** Checks that reports are read from a standby of enrolment's database that follows it. */
export const standbyCheck = (url: string, primaryUrl: string): Check => ({
  name: 'standby for reports',
  look: async () => {
    // Another check reports a primary that does not respond.
    const primary = await connectTo(primaryUrl).catch(() => null);
    if (!primary) return [];
    try {
      const standby = await connectTo(url, 'REPORTS_DATABASE_URL');
      try {
        return await compare(primary, standby);
      } finally {
        await standby.end();
      }
    } finally {
      await primary.end();
    }
  },
});

async function compare(primary: pg.Pool, standby: pg.Pool): Promise<Finding> {
  const wanted = await placeIn(primary, selectPrimaryPlace);
  const end = clock.now() + replayTimeMs;
  for (;;) {
    const { isStandby, history, position } = await placeIn(standby, selectStandbyPlace);
    if (!isStandby || history !== wanted.history) {
      return fail(
        'the server at REPORTS_DATABASE_URL is no standby of that at DATABASE_URL, or has made no ' +
          'restart point since the last failover',
        'correct REPORTS_DATABASE_URL; after a failover, as a superuser on the standby: CHECKPOINT',
      );
    }
    if (position >= wanted.position) return ok('it follows the primary');
    if (clock.now() > end) {
      return warn(
        `it lacks ${wanted.position - position} bytes of the log that the primary had written ` +
          `${replayTimeMs / 1_000} s before`,
        'see pg_stat_replication on the primary and the log of the standby; reports are read from ' +
          'the primary when it is more than a minute behind',
      );
    }
    await clock.sleep(pollIntervalMs);
  }
}

/** Like `WalPlace`, with a position that is compared as a number. */
async function placeIn(pool: pg.Pool, statement: Sql) {
  const { rows } = await pool.query<{ position: string; history: string; isStandby: boolean }>(
    statement,
  );
  const { position, ...rest } = rows[0]!;
  return { ...rest, position: Number(position) };
}
