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
import type { ServerCertificate } from './certificate-authority.ts';
import { brokerInstallations } from './external-services.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const startTimeoutMs = 300_000;

/** What a node must know of the cluster that it belongs to. */
interface ClusterMembership {
  /** The secret that all nodes share. */
  readonly cookie: string;
  /** The node that a new node joins; absent for the first one. */
  readonly join?: string;
}

/**
 * A RabbitMQ node for one suite, isolated from every other broker of the machine: it has its own
 * ports, data, log and cookie. The suite may stop, kill and block it.
 */
export class DedicatedBroker {
  #server: ChildProcess | null = null;
  #disposed = false;

  private constructor(
    /** AMQP URL with the administrator's credentials. */
    readonly url: string,
    /** URL of the management API with the administrator's credentials; null without the plugin. */
    readonly managementUrl: string | null,
    /** Ports at `localhost` for TLS, of AMQP and of the management API; null without a certificate. */
    readonly tlsPorts: { readonly amqp: number; readonly management: number } | null,
    /** URL of the metrics of the plugin rabbitmq_prometheus; null without it. */
    readonly metricsUrl: string | null,
    private readonly scripts: string,
    private readonly directory: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** The name of the Erlang node, as RabbitMQ's messages have it. */
  get nodeName(): string {
    return this.environment['RABBITMQ_NODENAME'] ?? '';
  }

  /**
   * Starts a node and waits until it accepts connections.
   *
   * @param management enables the management API, which makes the start slower; default: false
   * @param certificate also listens for TLS, with this certificate
   * @param cluster of a node of a `BrokerCluster`
   * @param metrics serves metrics for Prometheus; default: false
   * @throws when RabbitMQ is not installed, or does not start within five minutes
   */
  static async start({
    management = false,
    certificate,
    cluster,
    metrics = false,
  }: {
    management?: boolean;
    certificate?: ServerCertificate;
    cluster?: ClusterMembership;
    metrics?: boolean;
  } = {}): Promise<DedicatedBroker> {
    const [version] = await readdir(brokerInstallations);
    if (!version) throw new Error(`no RabbitMQ is installed under ${brokerInstallations}`);
    const directory = await mkdtemp(join(tmpdir(), 'registrar-broker-'));
    const [port, distributionPort, managementPort, amqp, encryptedManagement, metricsPort] =
      await Promise.all([freePort(), freePort(), freePort(), freePort(), freePort(), freePort()]);
    const inside = (name: string) => join(directory, name);
    const configuration = [`listeners.tcp.1 = 127.0.0.1:${port}`];
    if (management) {
      configuration.push(
        'management.tcp.ip = 127.0.0.1',
        `management.tcp.port = ${managementPort}`,
      );
    }
    if (metrics) {
      configuration.push('prometheus.tcp.ip = 127.0.0.1', `prometheus.tcp.port = ${metricsPort}`);
    }
    if (certificate) {
      const files = (prefix: string) => [
        `${prefix}.certfile = ${certificate.certificate}`,
        `${prefix}.keyfile = ${certificate.key}`,
      ];
      configuration.push(`listeners.ssl.1 = 127.0.0.1:${amqp}`, ...files('ssl_options'));
      if (management) {
        const encrypted = ['ip = 127.0.0.1', `port = ${encryptedManagement}`];
        configuration.push(
          ...encrypted.map((line) => `management.ssl.${line}`),
          ...files('management.ssl'),
        );
      }
    }
    if (cluster) {
      // The home directory is that of the node alone.
      await writeFile(inside('.erlang.cookie'), cluster.cookie, { mode: 0o400 });
      configuration.push('cluster_partition_handling = pause_minority');
      if (cluster.join) {
        configuration.push(
          'cluster_formation.peer_discovery_backend = classic_config',
          `cluster_formation.classic_config.nodes.1 = ${cluster.join}`,
        );
      }
    }
    await writeFile(inside('rabbitmq.conf'), `${configuration.join('\n')}\n`);
    const plugins = [
      ...(management ? ['rabbitmq_management'] : []),
      ...(metrics ? ['rabbitmq_prometheus'] : []),
    ];
    await writeFile(inside('plugins'), `[${plugins.join(',')}].\n`);
    const loopback = '-kernel inet_dist_use_interface {127,0,0,1}';
    const broker = new DedicatedBroker(
      `amqp://guest:guest@127.0.0.1:${port}`,
      management ? `http://guest:guest@127.0.0.1:${managementPort}` : null,
      certificate ? { amqp, management: encryptedManagement } : null,
      metrics ? `http://127.0.0.1:${metricsPort}/metrics` : null,
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

  /** Starts the node, again if it was killed, and waits until it accepts connections. */
  async startNode(): Promise<void> {
    // A run may be interrupted while the broker is stopped.
    if (this.#disposed) throw new Error('the broker was disposed of');
    const output = openSync(join(this.directory, 'output.log'), 'a');
    // Detached: the node's processes end together, and Ctrl-C does not reach them.
    const server = spawn(join(this.scripts, 'rabbitmq-server'), [], {
      cwd: this.directory,
      env: this.environment,
      detached: true,
      stdio: ['ignore', output, output],
    });
    this.#server = server;
    await this.#reachable(server);
  }

  /** Kills the whole node with SIGKILL. */
  async killNode(): Promise<void> {
    const server = this.#server;
    if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    process.kill(-server.pid, 'SIGKILL');
    await ended;
  }

  /** Stops the whole node in order. */
  async stopNode(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    await this.control('shutdown');
    await ended;
  }

  /**
   * Prepares a node of a cluster for a stop, as RabbitMQ's operator does: waits until quorum queues keep a
   * majority without the node, then moves their leaders away and closes all connections.
   */
  async drainNode(): Promise<void> {
    await this.#runTool('rabbitmq-upgrade', 'await_online_quorum_plus_one');
    await this.#runTool('rabbitmq-upgrade', 'drain');
  }

  /** Stops the broker in order; its Erlang node keeps running. */
  async stopApp(): Promise<void> {
    await this.control('stop_app');
  }

  async startApp(): Promise<void> {
    await this.control('start_app');
  }

  async closeAllConnections(): Promise<void> {
    await this.control('close_all_connections', 'requested by a suite');
  }

  /** Raises a memory alarm, so that the broker blocks every publishing connection. */
  async raiseMemoryAlarm(): Promise<void> {
    await this.control('set_vm_memory_high_watermark', '0.00001');
  }

  async endMemoryAlarm(): Promise<void> {
    await this.control('set_vm_memory_high_watermark', '0.4');
  }

  /** Raises a disk alarm, which blocks publishers as well. */
  async raiseDiskAlarm(): Promise<void> {
    await this.control('set_disk_free_limit', '10000GB');
  }

  async endDiskAlarm(): Promise<void> {
    await this.control('set_disk_free_limit', '1MB');
  }

  /** Makes the node read the files of its certificate again. */
  async reloadCertificate(): Promise<void> {
    await this.control('eval', 'ssl:clear_pem_cache().');
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.killNode();
    // Other processes of the node may still write while they end.
    await rm(this.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  /** The environment in which RabbitMQ's command-line tools use this node. */
  get toolEnvironment(): NodeJS.ProcessEnv {
    return { ...this.environment, PATH: `${this.scripts}:${this.environment['PATH'] ?? ''}` };
  }

  /** Runs `rabbitmqctl` for this node, and resolves with what it prints. */
  control(...words: string[]): Promise<string> {
    return this.#runTool('rabbitmqctl', ...words);
  }

  async #runTool(tool: string, ...words: string[]): Promise<string> {
    const options = { cwd: this.directory, env: this.environment };
    return (await run(join(this.scripts, tool), words, options)).stdout;
  }

  async #reachable(server: ChildProcess): Promise<void> {
    const deadline = Date.now() + startTimeoutMs;
    for (;;) {
      try {
        const connection = await connect(this.url);
        await connection.close();
        return;
      } catch (error) {
        if (server.exitCode !== null || Date.now() > deadline) {
          const output = await readFile(join(this.directory, 'output.log'), 'utf8');
          throw new Error(`RabbitMQ did not start: ${output.slice(-1_000)}`, { cause: error });
        }
        await pause(50);
      }
    }
  }
}
