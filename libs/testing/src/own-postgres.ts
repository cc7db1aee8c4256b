import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/persistence';
import { freePort } from './running-system.ts';

/** A PostgreSQL of a suite's own that can be broken as a whole; its address stays the same. */
export class OwnPostgres {
  #disposed = false;

  private constructor(
    private readonly directory: string,
    private readonly port: number,
    private server: EmbeddedPostgres,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const directory = await mkdtemp(join(tmpdir(), 'registrar-postgres-'));
    const port = await freePort();
    return new OwnPostgres(directory, port, await startEmbeddedPostgres(directory, flags, port));
  }

  get url(): string {
    return this.server.url;
  }

  /** Immediate shutdown, which PostgreSQL takes for a crash: it recovers at the next start. */
  async crash(): Promise<void> {
    const file = join(this.directory, 'data', 'postmaster.pid');
    const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    await this.server.stop();
  }

  async startAgain(): Promise<void> {
    if (this.#disposed) throw new Error('the database was disposed of');
    this.server = await startEmbeddedPostgres(this.directory, flags, this.port);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.server.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Everything that was committed survives: nothing is switched off for speed. */
const flags = ['-c', 'max_connections=300'];
