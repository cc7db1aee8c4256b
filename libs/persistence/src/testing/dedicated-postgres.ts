import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@registrar/testing';
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

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.server.stop();
    await removePostgresFiles(this.directory);
  }
}

/** Leaves the settings for durability on, so that what was committed survives a crash. */
const flags = ['-c', 'max_connections=300'];
