import { type AccessScope, Failure } from '#libs/contracts';
import { remainingTime } from '#libs/platform';
import { type Database, inStatementSpan } from '#libs/persistence';
import type pg from 'pg';

/** How long a query may take, its result read: milliseconds. */
const queryTime = 30_000;

/**
 * What the views of a transaction hold (migration 1760000000202). Invitations belong to access
 * that reaches all of the realm and is bound to no user (decision 14).
 */
function reachSettings(scope: AccessScope | null): Record<string, string> {
  const wholeRealm = scope?.wholeRealm === true && scope.user === null;
  return {
    'registrar.applications': scope ? `{${scope.applicationIds.join(',')}}` : '',
    'registrar.user': scope?.user?.email ?? '',
    'registrar.realm': wholeRealm ? `${scope.realmId}` : '',
  };
}

/**
 * Runs `work` on a connection of its own, in a transaction in which the names of the views lead to
 * what `scope` reaches, or to no rows when it is null. Nothing of it is kept: it is always undone.
 *
 * @throws {Failure} `expired` when the time of the operation, or of a query, is over
 */
export async function inReportTransaction<T>(
  database: Database,
  options: { access: 'READ ONLY' | 'READ WRITE'; scope: AccessScope | null; time?: number },
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const time = Math.ceil(Math.min(options.time ?? queryTime, remainingTime()));
  if (time === 0) throw new Failure('expired', 'the deadline passed before a query began');
  const settings = Object.entries({
    statement_timeout: `${time}`,
    search_path: 'reports, pg_temp',
    // As the columns' values are read (query-columns).
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    IntervalStyle: 'postgres',
    ...reachSettings(options.scope),
  });
  const runner = database.dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as pg.PoolClient;
    await client.query(`BEGIN ${options.access}`);
    try {
      await client.query(
        `SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS s (name, value)`,
        [settings.map(([name]) => name), settings.map(([, value]) => value)],
      );
      // Whoever stored the query may have written people's data into its text.
      return await inStatementSpan(database.dataSource, null, () => work(client));
    } finally {
      await client.query('ROLLBACK');
    }
  } finally {
    await runner.release();
  }
}
