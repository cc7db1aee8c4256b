import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, type ServerCertificate } from '@registrar/testing';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres.ts';
import { removePostgresFiles } from '../postgres-files.ts';

const run = promisify(execFile);

/** A suite's own PostgreSQL server, which the suite can crash and start again at the same address. */
export class DedicatedPostgres {
  #disposed = false;

  private constructor(
    private readonly directory: string,
    private readonly port: number,
    private readonly flags: readonly string[],
    private server: EmbeddedPostgres,
  ) {}

  /** @param settings more settings of the server, or other values than the default ones */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<DedicatedPostgres> {
    const directory = await mkdtemp(join(tmpdir(), 'registrar-postgres-'));
    const port = await freePort();
    const flags = Object.entries({ ...defaultSettings, ...settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const server = await startEmbeddedPostgres(directory, flags, port);
    return new DedicatedPostgres(directory, port, flags, server);
  }

  /**
   * Starts a standby that replicates this server, which stops for a moment while its files are copied.
   *
   * @param settings more settings of the standby
   */
  async startStandby(settings: Readonly<Record<string, string>> = {}): Promise<DedicatedPostgres> {
    const primary = new URL(this.url);
    const connection =
      `host=${primary.hostname} port=${primary.port} user=${primary.username} ` +
      `password=${primary.password}`;
    const standby = await DedicatedPostgres.start({ ...settings, primary_conninfo: connection });
    await Promise.all([standby.server.stop(), this.server.stop()]);
    const [source, target] = [this.server.dataDirectory, standby.server.dataDirectory];
    // With the owners of the files: PostgreSQL refuses those of another user.
    await run('sh', ['-euc', 'rm -r "$2"/*; cp --archive "$1"/. "$2"', 'sh', source, target]);
    await run('cp', ['--archive', join(source, 'PG_VERSION'), join(target, 'standby.signal')]);
    await copyFile(join(this.directory, 'password'), join(standby.directory, 'password'));
    await this.startAgain();
    await standby.startAgain();
    return standby;
  }

  get url(): string {
    return this.server.url;
  }

  /** Shuts down at once, as in a crash: PostgreSQL recovers at the next start. */
  async crash(): Promise<void> {
    const file = join(this.server.dataDirectory, 'postmaster.pid');
    const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    await this.server.stop();
  }

  async startAgain(): Promise<void> {
    if (this.#disposed) throw new Error('the PostgreSQL server was disposed of');
    this.server = await startEmbeddedPostgres(this.directory, this.flags, this.port);
  }

  /** Accepts TLS from now on, with this certificate. */
  async presentCertificate({ certificate, key }: ServerCertificate): Promise<void> {
    const { dataDirectory } = this.server;
    const { uid, gid } = await stat(dataDirectory);
    // The names that PostgreSQL expects, and the permissions that it demands of a key.
    const files = { 'server.crt': certificate, 'server.key': key };
    for (const [name, source] of Object.entries(files)) {
      const file = join(dataDirectory, name);
      await copyFile(source, file);
      await chown(file, uid, gid);
      await chmod(file, 0o600);
    }
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    await client.query('ALTER SYSTEM SET ssl = on');
    await client.query('SELECT pg_reload_conf()');
    await client.end();
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.server.stop();
    await removePostgresFiles(this.directory);
  }
}

/** Leaves the settings for durability on, so that what was committed survives a crash. */
const defaultSettings = { max_connections: '300' };
