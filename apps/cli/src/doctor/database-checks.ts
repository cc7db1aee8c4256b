import { clock } from '@registrar/platform';
import { busMigrations } from '@registrar/bus';
import {
  appliedMigrations,
  detectPooling,
  migrationsClient,
  poolSize,
  type Pooling,
  type Sql,
  sql,
  transactionPooling,
} from '@registrar/persistence';
import pg from 'pg';
import { type ContextName, migrationFiles } from '@registrar/bootstrap';
import { tolerableSkew } from '@registrar/course-provider';
import { type Check, CheckFailed, fail, type Finding, ok, sharing, warn } from './check.ts';
import { tlsFault } from './tls-faults.ts';

/** PostgreSQL 15. */
const oldestVersion = 150_000;
/** Milliseconds. */
const answerTime = 10_000;

/** Of each database that contexts use, and of each context's schema in it. */
export function databaseChecks(urls: ReadonlyMap<ContextName, string>): Check[] {
  const databases = Map.groupBy(urls, ([, url]) => url);
  return [...databases].flatMap(([url, served]) => {
    const names = served.map(([context]) => context);
    const suffix = databases.size > 1 ? ` of ${names.join(', ')}` : '';
    return sharing({ open: () => connectTo(url), close: (pool) => pool.end() }, [
      { name: `database${suffix}`, look: version },
      { name: `database clock${suffix}`, look: compareClocks },
      { name: `extension pg_trgm${suffix}`, look: extension },
      ...names.flatMap((context) => [
        { name: `rights to ${context}`, look: (pool: pg.Pool) => rights(pool, context) },
        { name: `schema ${context}`, look: (pool: pg.Pool) => schemaVersion(pool, context) },
      ]),
      { name: `migrations${suffix}`, look: runningMigration },
      { name: `locks${suffix}`, look: locks },
      { name: `connections${suffix}`, look: (pool: pg.Pool) => busyConnections(pool, names) },
    ]);
  });
}

type DatabaseSetting = 'DATABASE_URL' | 'REPORTS_DATABASE_URL';

/** @throws {CheckFailed} with the reason why there is no connection */
export async function connectTo(
  url: string,
  setting: DatabaseSetting = 'DATABASE_URL',
): Promise<pg.Pool> {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: answerTime,
    query_timeout: answerTime,
    max: 2,
    application_name: 'registrar doctor',
  });
  pool.on('error', () => undefined);
  try {
    await pool.query('SELECT');
    return pool;
  } catch (error) {
    await pool.end();
    throw new CheckFailed(refusal(new URL(url), setting, error));
  }
}

/** Why the server refuses a connection, by SQLSTATE (PostgreSQL manual, Appendix A). */
function refusal(url: URL, setting: DatabaseSetting, error: unknown): Finding {
  const { host, pathname } = url;
  const username = decodeURIComponent(url.username);
  const { code, message } = error as { code?: string; message: string };
  const database = pathname.slice(1);
  if (code === '28P01') {
    return fail(
      `PostgreSQL refuses the password of ${username}`,
      `put the right one into ${setting}, or set it: ALTER ROLE ${username} PASSWORD '…'`,
    );
  }
  if (code === '3D000') {
    return fail(
      `PostgreSQL at ${host} has no database ${database}`,
      `make it: CREATE DATABASE ${database}`,
    );
  }
  if (code === '53300') {
    return fail(
      `PostgreSQL has no connection left for ${username}: ${message}`,
      'end sessions that nobody needs (pg_stat_activity shows them), run fewer replicas, or raise ' +
        'max_connections, or the limit of the role',
    );
  }
  if (code?.startsWith('28') || code === '42501') {
    return fail(
      `PostgreSQL does not let ${username} in: ${message}`,
      `see pg_hba.conf, and: GRANT CONNECT ON DATABASE ${database} TO ${username}`,
    );
  }
  const authority = 'sslrootcert';
  const store = { name: 'PostgreSQL', host, setting, authority } as const;
  return (
    tlsFault(error as Error, store) ??
    fail(
      `PostgreSQL cannot be reached at ${host} (${code ?? message})`,
      `start it, or correct ${setting}; then see the network between`,
    )
  );
}

async function version(pool: pg.Pool): Promise<Finding> {
  const [row] = await rowsOf<{ number: number; version: string }>(
    pool,
    sql`SELECT current_setting('server_version_num')::int AS number,
            current_setting('server_version') AS version`,
  );
  const text = `PostgreSQL ${row?.version}`;
  if ((row?.number ?? 0) < oldestVersion) {
    return fail(`${text} is too old`, 'upgrade the server to PostgreSQL 15 or later');
  }
  const pooling = await poolingOf(pool);
  if (pooling === 'transaction') return fail(transactionPooling.fault, transactionPooling.remedy);
  return ok(pooling === 'session' ? `${text}, through a pooler in session mode` : text);
}

async function poolingOf(pool: pg.Pool): Promise<Pooling> {
  const client = await pool.connect();
  try {
    return await detectPooling(client, async () => {
      const other = new pg.Client(pool.options);
      await other.connect();
      return other;
    });
  } finally {
    client.release();
  }
}

async function compareClocks(pool: pg.Pool): Promise<Finding> {
  const sentAt = clock.now();
  const [row] = await rowsOf<{ now: number }>(
    pool,
    sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
  );
  return clockFinding(
    ((row?.now ?? 0) - (sentAt + clock.now()) / 2) / 1000,
    "the database's clock",
  );
}

/** @param skew seconds by which it is ahead of ours */
export function clockFinding(skew: number, whose: string): Finding {
  const seconds = Math.round(Math.abs(skew));
  const text = `${whose} is ${seconds} s ${skew < 0 ? 'behind' : 'ahead of'} ours`;
  return seconds <= tolerableSkew
    ? ok(text)
    : fail(text, 'set both machines by a time service (NTP): crawls would miss changes');
}

async function extension(pool: pg.Pool): Promise<Finding> {
  const found = await rowsOf(pool, sql`SELECT FROM pg_extension WHERE extname = 'pg_trgm'`);
  return found.length > 0
    ? ok('it is installed')
    : fail(
        'it is missing',
        'as a superuser, in this database: CREATE EXTENSION pg_trgm SCHEMA public; ' +
          'then registrar migrate',
      );
}

/** What an app does with its tables. */
const tableRights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

async function rights(pool: pg.Pool, context: ContextName): Promise<Finding> {
  const [schema] = await rowsOf<{ user: string; exists: boolean; mayCreate: boolean }>(
    pool,
    sql`SELECT current_user AS user, to_regnamespace(${context}) IS NOT NULL AS exists,
            CASE WHEN to_regnamespace(${context}) IS NULL
              THEN has_database_privilege(current_database(), 'CREATE')
              ELSE has_schema_privilege(${context}, 'USAGE') AND has_schema_privilege(${context}, 'CREATE')
            END AS "mayCreate"`,
  );
  const { user = '', exists = false, mayCreate = false } = schema ?? {};
  const remedy = 'as a superuser, in this database, run the SQL of: registrar grants postgresql';
  if (!mayCreate) {
    return fail(
      exists
        ? `${user} may not use and change the schema ${context}`
        : `there is no schema ${context}, and ${user} may not make it`,
      remedy,
    );
  }
  const lacking = await rowsOf<{ table: string; right: string }>(
    pool,
    sql`SELECT c.relname AS table, string_agg(r.name, ', ') AS right
     FROM pg_class AS c, unnest(${tableRights}::text[]) AS r (name)
     WHERE c.relnamespace = to_regnamespace(${context}) AND c.relkind IN ('r', 'p')
       AND NOT has_table_privilege(c.oid, r.name)
     GROUP BY c.relname ORDER BY c.relname`,
  );
  if (lacking.length === 0) return ok(`${user} has all required privileges`);
  const missing = lacking.map(({ table, right }) => `${right} on ${context}.${table}`);
  return fail(`${user} lacks ${missing.join('; ')}`, remedy);
}

async function schemaVersion(pool: pg.Pool, context: ContextName): Promise<Finding> {
  const done = await appliedMigrations(pool, context);
  const known = [...busMigrations.map(({ name }) => name), ...(await migrationFiles(context))];
  const missing = known.filter((each) => !done.some((one) => one.timestamp === timestampOf(each)));
  const unknown = done.filter((one) => !known.some((each) => one.timestamp === timestampOf(each)));
  if (missing.length > 0) {
    return fail(
      `it is older than this version: it lacks ${missing.join(', ')}`,
      `before its app starts: registrar migrate ${context}`,
    );
  }
  return unknown.length > 0
    ? ok(
        `it is newer than this version (${unknown.map(({ name }) => name).join(', ')}), which is fine during an upgrade`,
      )
    : ok('it is that of this version');
}

/** Seconds for which a statement may wait for a lock. */
const tolerableWait = 2;

/** Who keeps others waiting: their work takes all connections of a pool. */
async function locks(pool: pg.Pool): Promise<Finding> {
  const [blocker] = await rowsOf<{ pid: number; app: string; age: number; waiting: number }>(
    pool,
    sql`SELECT blocker.pid, blocker.application_name AS app,
              extract(epoch FROM clock_timestamp() - blocker.xact_start)::int AS age,
              count(*)::int AS waiting
        FROM pg_stat_activity AS waiting
          CROSS JOIN unnest(pg_blocking_pids(waiting.pid)) AS blocking (pid)
          JOIN pg_stat_activity AS blocker ON blocker.pid = blocking.pid
        WHERE blocker.application_name <> ${migrationsClient}
          AND waiting.query_start < clock_timestamp() - make_interval(secs => ${tolerableWait})
        GROUP BY 1, 2, 3 ORDER BY waiting DESC, age DESC LIMIT 1`,
  );
  if (!blocker) return ok('no statement waits for one');
  const { pid, app, age, waiting } = blocker;
  return fail(
    `${waiting} ${waiting === 1 ? 'statement waits' : 'statements wait'} for a lock of process ` +
      `${pid} (${app || 'without a name'}), whose transaction has been open for ${age} s`,
    `if it should not be open: SELECT pg_terminate_backend(${pid})`,
  );
}

/** Who holds the lock of migrations, for which `registrar migrate` and starting apps wait. */
async function runningMigration(pool: pg.Pool): Promise<Finding> {
  const [holder] = await rowsOf<{ pid: number; age: number | null }>(
    pool,
    sql`SELECT pid, extract(epoch FROM clock_timestamp() - backend_start)::int AS age
        FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'advisory' AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND coalesce(
            backend_start < clock_timestamp() - make_interval(secs => ${tolerableWait}), true)
          AND (classid::int8 << 32 | objid::int8) = hashtext(${migrationsClient})
        LIMIT 1`,
  );
  if (!holder) return ok('none runs');
  const { pid, age } = holder;
  return warn(
    `process ${pid} of PostgreSQL has been migrating${age === null ? '' : ` for ${age} s`}`,
    'let it finish; if the program that migrates is frozen or gone: SELECT ' +
      `pg_terminate_backend(${pid}), then registrar migrate`,
  );
}

/** Which contexts use all connections of a pool, for longer than a statement should take. */
async function busyConnections(
  pool: pg.Pool,
  names: readonly ContextName[],
): Promise<Finding | Finding[]> {
  const busy = await rowsOf<{ app: string; count: number; age: number }>(
    pool,
    sql`SELECT application_name AS app, count(*)::int AS count,
              extract(epoch FROM clock_timestamp() - min(xact_start))::int AS age
        FROM pg_stat_activity
        WHERE application_name = ANY (${names.map((name) => `registrar ${name}`)}::text[])
          AND datname = current_database()
        GROUP BY application_name, client_addr
        HAVING count(*) >= ${poolSize}
          AND bool_and(coalesce(
            xact_start < clock_timestamp() - make_interval(secs => ${tolerableWait}), false))`,
  );
  if (busy.length === 0) return ok('every replica has some left');
  return busy.map(({ app, count, age }) =>
    fail(
      `all ${count} connections of ${app.replace('registrar ', '')} are busy, the oldest transaction for ${age} s`,
      'see what they do: SELECT pid, state, wait_event_type, query FROM pg_stat_activity WHERE ' +
        `application_name = '${app}'; end what hangs, or run more replicas`,
    ),
  );
}

/** Of a migration's class, at the end of its name, or of its file, at the beginning. */
const timestampOf = (name: string): string | undefined => /\d{13}/.exec(name)?.[0];

const rowsOf = async <Row extends object>(pool: pg.Pool, statement: Sql): Promise<Row[]> =>
  (await pool.query<Row>(statement)).rows;
