import { ensureSystemUser, postgresUser, type SystemAccount } from '@registrar/persistence/testing';
import { eventually } from '@registrar/testing';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import * as z from 'zod';
import type { ObjectStore } from './object-store.ts';

const run = promisify(execFile);
const user = 'registrar';
const database = 'registrar';
const startTimeoutMs = 120_000;
const archivedTimeoutMs = 300_000;

/** Seconds after which a segment of the write-ahead log is archived although it is not full, as in k8s/components/backups. */
export const archiveTimeoutSeconds = 60;

const backupList = z.object({
  backups_list: z.array(z.object({ backup_id: z.string(), status: z.string() })),
});

const momentRow = z.object({ at: z.string(), segment: z.string() });

/** A moment to which a server can be restored, and the segment of the write-ahead log that has it. */
export type Moment = z.output<typeof momentRow>;

/** Where a server comes from and where it is backed up to. */
export interface Place {
  /** The directory with PostgreSQL's programs. */
  readonly programs: string;
  /** Receives a directory for each server. */
  readonly directory: string;
  readonly store: ObjectStore;
  /** The server's directory in the store. */
  readonly name: string;
  readonly port: number;
}

/** A PostgreSQL server of Debian's packages that archives its write-ahead log to an object store. */
export class ArchivedPostgres {
  #server: ChildProcess | null = null;

  private constructor(
    private readonly place: Place,
    private readonly data: string,
    /** The system user of the server when this process is root; PostgreSQL refuses to run as root. */
    private readonly account: SystemAccount | null,
  ) {}

  /** Creates an empty server with the database `registrar`, and starts it. */
  static async create(place: Place): Promise<ArchivedPostgres> {
    const server = await ArchivedPostgres.#prepare(place);
    await run(
      join(place.programs, 'initdb'),
      [
        '--pgdata',
        server.data,
        '--username',
        user,
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C.UTF-8',
      ],
      server.#options,
    );
    await server.start();
    await server.query(`CREATE DATABASE ${database}`, 'postgres');
    return server;
  }

  /**
   * Restores the newest base backup of another server and the write-ahead log after it, and starts.
   *
   * @param source the other server's directory in the store
   * @param until the moment to which to restore; null for everything that was archived
   */
  static async restore(
    place: Place,
    source: string,
    until: string | null,
  ): Promise<ArchivedPostgres> {
    const server = await ArchivedPostgres.#prepare(place);
    const { store } = place;
    const listed = await server.#barman('backup-list', '--format', 'json', store.url, source);
    const { backups_list: backups } = backupList.parse(JSON.parse(listed));
    const newest = backups.filter(({ status }) => status === 'DONE').at(-1);
    if (!newest) throw new Error(`the store has no base backup of ${source}`);
    await server.#barman('restore', store.url, source, newest.backup_id, server.data);
    await chmod(server.data, 0o700);
    await writeFile(join(server.data, 'recovery.signal'), '');
    if (server.account) {
      await chown(join(server.data, 'recovery.signal'), server.account.uid, server.account.gid);
    }
    const words = ['barman-cloud-wal-restore', ...store.arguments, store.url, source, '%f', '%p'];
    await server.start([
      ...['-c', `restore_command=${words.join(' ')}`],
      ...['-c', 'recovery_target_action=promote'],
      ...(until === null ? [] : ['-c', `recovery_target_time=${until}`]),
    ]);
    return server;
  }

  /** Creates a standby that streams from another server, and starts it. */
  static async follow(place: Place, primary: ArchivedPostgres): Promise<ArchivedPostgres> {
    const server = await ArchivedPostgres.#prepare(place);
    const connection = ['--host', '127.0.0.1', '--port', String(primary.place.port)];
    const options = ['--username', user, '--write-recovery-conf', '--checkpoint', 'fast'];
    await run(
      join(place.programs, 'pg_basebackup'),
      ['--pgdata', server.data, ...connection, ...options],
      server.#options,
    );
    await server.#launch([], 'pg_is_in_recovery()');
    return server;
  }

  static async #prepare(place: Place): Promise<ArchivedPostgres> {
    const account = process.getuid?.() === 0 ? await ensureSystemUser(postgresUser) : null;
    const directory = join(place.directory, place.name);
    await mkdir(directory);
    if (account) await chown(directory, account.uid, account.gid);
    return new ArchivedPostgres(place, join(directory, 'data'), account);
  }

  get url(): string {
    return `postgres://${user}@127.0.0.1:${this.place.port}/${database}`;
  }

  /** Starts the server, and waits until it accepts writes. */
  async start(flags: readonly string[] = []): Promise<void> {
    await this.#launch(flags, 'NOT pg_is_in_recovery()');
  }

  /** @param isReady an SQL condition that is true when the start has ended */
  async #launch(flags: readonly string[], isReady: string): Promise<void> {
    const { store, name, port, programs, directory } = this.place;
    const archive = [
      'barman-cloud-wal-archive',
      ...store.arguments,
      '--gzip',
      store.url,
      name,
      '%p',
    ];
    const log = await open(join(directory, name, 'server.log'), 'a');
    const server = spawn(
      join(programs, 'postgres'),
      [
        ...['-D', this.data, '-p', String(port)],
        ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
        ...['-c', 'max_connections=200', '-c', 'archive_mode=on'],
        ...['-c', `archive_timeout=${archiveTimeoutSeconds}`],
        ...['-c', `archive_command=${archive.join(' ')}`],
        ...flags,
      ],
      { ...this.#options, detached: true, stdio: ['ignore', log.fd, log.fd] },
    );
    this.#server = server;
    await once(server, 'spawn');
    await log.close();
    const ended = once(server, 'exit').then(() => {
      throw new Error(`PostgreSQL did not start: see ${join(directory, name, 'server.log')}`);
    });
    const ready = eventually(
      'PostgreSQL is ready',
      async () => {
        const [row] = await this.query(`SELECT ${isReady} AS ready`, 'postgres');
        return row?.['ready'] === true;
      },
      { timeoutMs: startTimeoutMs, intervalMs: 50 },
    );
    await Promise.race([ready, ended]);
    ended.catch(() => undefined);
  }

  /** Takes a base backup while the server is in use. */
  async backUp(): Promise<void> {
    const { store, name, port } = this.place;
    const connection = ['--host', '127.0.0.1', '--port', String(port), '--user', user];
    const options = ['--gzip', '--immediate-checkpoint'];
    await this.#barman('backup', ...connection, ...options, store.url, name);
  }

  /** The current moment. */
  async moment(): Promise<Moment> {
    const [row] = await this.query(
      `SELECT clock_timestamp()::text AS at, pg_walfile_name(pg_current_wal_lsn()) AS segment`,
    );
    return momentRow.parse(row);
  }

  /** Resolves when the log up to a moment is in the archive: after the archive timeout at the latest. */
  async archived({ segment }: Moment): Promise<void> {
    await eventually(
      'the segment of the moment is archived',
      async () => {
        const [row] = await this.query('SELECT last_archived_wal AS segment FROM pg_stat_archiver');
        return String(row?.['segment']) >= segment;
      },
      { timeoutMs: archivedTimeoutMs, intervalMs: 200 },
    );
  }

  /** From now on each commit is on a standby too before it is acknowledged. */
  async replicateSynchronously(): Promise<void> {
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`, 'postgres');
    await this.query('SELECT pg_reload_conf()', 'postgres');
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()', 'postgres');
  }

  /** Ends the server at once, as the loss of its machine does. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    // Its other processes end when they notice.
    server.kill('SIGKILL');
    await ended;
  }

  /** Destroys the server and its data at once; what was not archived is lost. */
  async destroy(): Promise<void> {
    await this.kill();
    await rm(this.data, { recursive: true, force: true });
  }

  /** Stops the server in order. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }

  /** Runs a statement as the owner of the server. */
  async query(text: string, name = database): Promise<Record<string, unknown>[]> {
    const connectionString = this.url.replace(/[^/]+$/, name);
    const client = new pg.Client({ connectionString });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  get #options() {
    const env = { PATH: process.env['PATH'], ...this.place.store.environment };
    return { ...this.account, env, cwd: join(this.place.directory, this.place.name) };
  }

  async #barman(program: string, ...words: string[]): Promise<string> {
    const all = [...this.place.store.arguments, ...words];
    return (await run(`barman-cloud-${program}`, all, this.#options)).stdout;
  }
}
