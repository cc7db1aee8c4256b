import { randomBytes } from 'node:crypto';
import { type Balancer, startBalancer } from './balancer.ts';
import { DedicatedBroker } from './dedicated-broker.ts';

/** The number of nodes: the least of which a majority remains when one is lost. */
const nodeCount = 3;

/**
 * A RabbitMQ cluster of three nodes on this machine for one suite, isolated from every other broker.
 * The suite may stop, kill and drain its nodes.
 */
export class BrokerCluster {
  private constructor(
    readonly nodes: readonly DedicatedBroker[],
    private readonly balancer: Balancer,
  ) {}

  /** AMQP URL of any node that runs. */
  get url(): string {
    return `amqp://guest:guest@127.0.0.1:${this.balancer.port}`;
  }

  /**
   * Starts the nodes and waits until they accept connections.
   *
   * @throws when RabbitMQ is not installed, or a node does not start within a minute
   */
  static async start(): Promise<BrokerCluster> {
    const cookie = randomBytes(16).toString('hex');
    const first = await DedicatedBroker.start({ cluster: { cookie } });
    const others = await Promise.allSettled(
      Array.from({ length: nodeCount - 1 }, () =>
        DedicatedBroker.start({ cluster: { cookie, join: first.nodeName } }),
      ),
    );
    const started = others.filter((node) => node.status === 'fulfilled').map(({ value }) => value);
    const nodes = [first, ...started];
    const ports = nodes.map(({ url }) => Number(new URL(url).port));
    const cluster = new BrokerCluster(nodes, await startBalancer(ports));
    const failed = others.find((node) => node.status === 'rejected');
    if (failed) {
      await cluster.dispose();
      throw failed.reason;
    }
    return cluster;
  }

  async dispose(): Promise<void> {
    await this.balancer.close();
    await Promise.all(this.nodes.map((node) => node.dispose()));
  }
}
