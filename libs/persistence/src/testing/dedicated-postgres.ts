import { chmod, chown, copyFile, mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type ServerCertificate } from '@registrar/testing';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres.ts';
import { removePostgresFiles } from '../postgres-files.ts';

/** A suite's own PostgreSQL server, which the suite can crash and start again at the same address. */
export class DedicatedPostgres {
  #disposed = false;

  private constructor(
    private readonly directory: string,
    private readonly port: number,
    private server: EmbeddedPostgres,
  ) {}

  static async start(): Promise<DedicatedPostgres> {
    const directory = await mkdtemp(join(tmpdir(), 'registrar-postgres-'));
    const port = await freePort();
    return new DedicatedPostgres(
      directory,
      port,
      await startEmbeddedPostgres(directory, flags, port),
    );
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
    this.server = await startEmbeddedPostgres(this.directory, flags, this.port);
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
const flags = ['-c', 'max_connections=300'];
