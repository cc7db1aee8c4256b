import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { programEnvironment } from './program-environment.ts';

/** A PgBouncer of a suite, in front of every database of a PostgreSQL server. */
export class ConnectionPooler {
  private constructor(
    private readonly process: ChildProcess,
    private readonly directory: string,
    private readonly port: number,
  ) {}

  /**
   * @param program the path of PgBouncer
   * @param serverUrl of a database of the server, whose user is the only one
   * @param poolMode PgBouncer's setting `pool_mode`
   */
  static async start(
    program: string,
    serverUrl: string,
    poolMode: 'session' | 'transaction',
  ): Promise<ConnectionPooler> {
    const { hostname, port: serverPort, username, password } = new URL(serverUrl);
    const directory = await mkdtemp(join(tmpdir(), 'registrar-pooler-'));
    const port = await freePort();
    const [configuration, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users.txt')];
    await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
    await writeFile(
      configuration,
      `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${poolMode}
default_pool_size = 40
`,
    );
    // PgBouncer refuses to run as root.
    const isRoot = process.getuid?.() === 0;
    await chmod(directory, 0o755);
    const child = spawn(program, [...(isRoot ? ['--user=postgres'] : []), configuration], {
      env: programEnvironment(),
      stdio: 'ignore',
    });
    await once(child, 'spawn');
    const pooler = new ConnectionPooler(child, directory, port);
    await eventually('PgBouncer accepts connections', async () => {
      if (child.exitCode !== null) throw new Error('PgBouncer has ended');
      const client = new pg.Client({ connectionString: pooler.addressOf(serverUrl) });
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    });
    return pooler;
  }

  /** The address of a database of the server, through the pooler. */
  addressOf(databaseUrl: string): string {
    const address = new URL(databaseUrl);
    address.hostname = '127.0.0.1';
    address.port = String(this.port);
    return address.href;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    await rm(this.directory, { recursive: true });
  }
}
