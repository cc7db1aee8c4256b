import { afterAll, beforeAll, expect, it } from 'vitest';
import { rabbitMqTransport, requestRoutes, Topology } from '@registrar/bus';
import { startStubContext, type TestBusApp } from '@registrar/bus/testing';
import { BrokerCluster, eventually, findBrokerInstallation, testLogger } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { connect } from 'amqplib';
import { run } from '../operator.fixture.ts';

const namespace = 'lost-queue';

describeWith(findBrokerInstallation(), 'registrar doctor without a node of the broker', () => {
  const topology = new Topology(namespace);
  let cluster: BrokerCluster;
  let catalog: TestBusApp;

  const lines = async (): Promise<string[]> => {
    const environment = { AMQP_URL: cluster.nodes[1]!.url, BUS_NAMESPACE: namespace };
    const { stdout } = await run(['doctor'], { environment });
    return stdout.split('\n').filter((line) => line.includes('  queues of catalog: '));
  };
  const linesAre = (...expected: string[]) =>
    eventually(
      `the lines are ${expected.join()}`,
      async () => (await lines()).join() === expected.join(),
    );

  beforeAll(async () => {
    cluster = await BrokerCluster.start();
    const owner = await connect(cluster.nodes[0]!.url);
    const channel = await owner.createChannel();
    // Where a queue is declared, there it stays.
    for (const route of requestRoutes) {
      await topology.declareExchange(channel, topology.requestExchange(route));
      await topology.declareRequestQueue(channel, 'catalog', route);
    }
    await owner.close();
    const { logger } = testLogger('catalog');
    const { url } = cluster.nodes[2]!;
    const transport = rabbitMqTransport({ url, namespace, logger, accounts: 'shared' });
    catalog = await startStubContext('catalog', [], { transport, logger });
  });
  afterAll(async () => {
    await catalog?.stop();
    await cluster?.dispose();
  });

  it('names the node, and whether replicas consume from a replacement of its queue', async () => {
    expect(await lines()).toEqual(['ok    queues of catalog: 1 replica consumes its requests']);
    await cluster.nodes[0]!.killNode();
    const { nodeName } = cluster.nodes[0]!;
    const away = (route: string) =>
      `queues of catalog: the RabbitMQ node ${nodeName} of ${namespace}.${route}.catalog is away`;
    await linesAre(
      ...requestRoutes.map(
        (route) =>
          `warn  ${away(route)}; 1 replica consumes from the replacement ` +
          `${namespace}.${route}.catalog.1. To do: start the node again; see on another one: ` +
          'rabbitmqctl cluster_status',
      ),
    );
    await catalog.stop();
    await linesAre(
      `fail  ${away('requests')}, and no replica consumes from a replacement. To do: start the ` +
        'node again (see on another one: rabbitmqctl cluster_status), and catalog if it does not run',
    );
  });
});
