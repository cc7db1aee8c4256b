import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect } from 'amqplib';
import { freePort } from './running-system.ts';

/** Where Debian's package keeps RabbitMQ's own scripts; those in the path insist on their user. */
export const brokerInstallations = '/usr/lib/rabbitmq/lib';

const run = promisify(execFile);
const readyWithin = 60_000;

/**
 * A RabbitMQ node of a suite's own, apart from any other on this machine: its ports, data, log and
 * cookie. It can be broken as a whole, which nobody else notices.
 */
export class OwnBroker {
  #server: ChildProcess | null = null;
  #disposed = false;

  private constructor(
    /** Connects as the administrator. */
    readonly url: string,
    /** The management API, as the administrator; null without the plugin. */
    readonly managementUrl: string | null,
    private readonly scripts: string,
    private readonly directory: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /**
   * @param management with the plugin of the management API, which makes the start slower
   * @throws when RabbitMQ is not installed, or does not start
   */
  static async start({ management = false } = {}): Promise<OwnBroker> {
    const [version] = await readdir(brokerInstallations);
    if (!version) throw new Error(`no RabbitMQ is installed under ${brokerInstallations}`);
    const directory = await mkdtemp(join(tmpdir(), 'registrar-broker-'));
    const [port, distributionPort, managementPort] = await Promise.all([
      freePort(),
      freePort(),
      freePort(),
    ]);
    const inside = (name: string) => join(directory, name);
    const configuration = [`listeners.tcp.1 = 127.0.0.1:${port}`];
    if (management) {
      configuration.push(
        'management.tcp.ip = 127.0.0.1',
        `management.tcp.port = ${managementPort}`,
      );
    }
    await writeFile(inside('rabbitmq.conf'), `${configuration.join('\n')}\n`);
    await writeFile(inside('plugins'), management ? '[rabbitmq_management].\n' : '[].\n');
    const loopback = '-kernel inet_dist_use_interface {127,0,0,1}';
    const broker = new OwnBroker(
      `amqp://guest:guest@127.0.0.1:${port}`,
      management ? `http://guest:guest@127.0.0.1:${managementPort}` : null,
      join(brokerInstallations, version, 'sbin'),
      directory,
      {
        PATH: process.env['PATH'],
        HOME: directory,
        RABBITMQ_NODENAME: `registrar-${randomBytes(6).toString('hex')}@localhost`,
        RABBITMQ_CONFIG_FILE: inside('rabbitmq.conf'),
        RABBITMQ_CONF_ENV_FILE: inside('none'),
        RABBITMQ_ENABLED_PLUGINS_FILE: inside('plugins'),
        RABBITMQ_GENERATED_CONFIG_DIR: inside('config'),
        RABBITMQ_MNESIA_BASE: inside('mnesia'),
        RABBITMQ_LOG_BASE: inside('log'),
        RABBITMQ_DIST_PORT: String(distributionPort),
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: loopback,
        RABBITMQ_CTL_ERL_ARGS: loopback,
      },
    );
    try {
      await broker.startNode();
    } catch (error) {
      await broker.dispose();
      throw error;
    }
    return broker;
  }

  /** Starts the node, or starts it again, and resolves when it takes connections. */
  async startNode(): Promise<void> {
    // A run may be broken off while it has the broker stopped.
    if (this.#disposed) throw new Error('the broker was disposed of');
    const output = openSync(join(this.directory, 'output.log'), 'a');
    // A session of its own: its processes are ended together, and Ctrl-C does not reach them.
    const server = spawn(join(this.scripts, 'rabbitmq-server'), [], {
      cwd: this.directory,
      env: this.environment,
      detached: true,
      stdio: ['ignore', output, output],
    });
    this.#server = server;
    await this.#reachable(server);
  }

  /** SIGKILL to the whole node. */
  async killNode(): Promise<void> {
    const server = this.#server;
    if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    process.kill(-server.pid, 'SIGKILL');
    await ended;
  }

  /** Stops the broker in order; its node goes on without it. */
  async stopApp(): Promise<void> {
    await this.control('stop_app');
  }

  async startApp(): Promise<void> {
    await this.control('start_app');
  }

  async closeAllConnections(): Promise<void> {
    await this.control('close_all_connections', 'the suite wants it so');
  }

  /** Everything is more memory than it may have now: it blocks whoever publishes. */
  async raiseMemoryAlarm(): Promise<void> {
    await this.control('set_vm_memory_high_watermark', '0.00001');
  }

  async endMemoryAlarm(): Promise<void> {
    await this.control('set_vm_memory_high_watermark', '0.4');
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.killNode();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Runs `rabbitmqctl` for this node. */
  async control(...words: string[]): Promise<void> {
    await run(join(this.scripts, 'rabbitmqctl'), words, {
      cwd: this.directory,
      env: this.environment,
    });
  }

  async #reachable(server: ChildProcess): Promise<void> {
    const giveUp = Date.now() + readyWithin;
    for (;;) {
      try {
        const connection = await connect(this.url);
        await connection.close();
        return;
      } catch (error) {
        if (server.exitCode !== null || Date.now() > giveUp) {
          const words = await readFile(join(this.directory, 'output.log'), 'utf8');
          throw new Error(`RabbitMQ did not start: ${words.slice(-1_000)}`, { cause: error });
        }
        await pause(50);
      }
    }
  }
}
