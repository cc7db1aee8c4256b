import { afterAll, beforeAll, expect, it } from 'vitest';
import { BrokerCluster, eventually, findBrokerInstallation, testLogger } from '@registrar/testing';
import { defineRequest } from '@registrar/contracts';
import { describeWith } from '@registrar/testing/suites';
import { Controller } from '@nestjs/common';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { once } from 'node:events';
import * as z from 'zod';
import { catalogHandlers, greet, unanswered, wait } from '../bus-apps.fixture.ts';
import { type BusSystem, startBusSystem } from '../bus-system.fixture.ts';
import { changeHandlers, changeOnce } from '../change-apps.fixture.ts';
import { HandleRequest } from '../handlers.ts';
import { Readiness } from '../readiness.ts';
import { rabbitMqTransport } from './rabbitmq-transport.ts';
import {
  type RequestQueueNumber,
  requestQueueNumbers,
  requestRoutes,
  Topology,
} from './topology.ts';

const namespace = 'cluster';

const provided = defineRequest('provider.provided', {
  callers: ['gateway'],
  input: z.object({}),
  reply: z.object({}),
});

describeWith(findBrokerInstallation(), 'the bus over a cluster of three RabbitMQ nodes', () => {
  const topology = new Topology(namespace);
  let cluster: BrokerCluster;
  let system: BusSystem;
  /** A connection to the node that is not killed. */
  let connection: ChannelModel;

  const node = (index: number) => cluster.nodes[index]!;
  /** The node that is killed. */
  const first = () => node(0);
  const second = () => node(1);
  const third = () => node(2);
  const transportTo = ({ url }: { url: string }) =>
    rabbitMqTransport({ url, namespace, logger: testLogger('bus').logger, accounts: 'shared' });

  let stopChanging: () => Promise<string[]>;
  /** A request that a replica handles when the node of its queue is killed. */
  let running: Promise<unknown>;
  /** A request that waits in the queue of a context without replicas then. */
  let queued: Promise<unknown>;

  beforeAll(async () => {
    cluster = await BrokerCluster.start();
    connection = await connect(second().url);
    await declareOn(first(), 'catalog', [0]);
    system = await startBusSystem(transportTo(second()));
    const { bus, probe, failures, start, signals } = system;
    const handlers = [catalogHandlers(probe), changeHandlers(probe, failures)];
    await start('catalog', handlers, { transport: transportTo(third()) });
    stopChanging = keepChanging();
    const begun = once(signals, 'waiting release');
    running = bus.request(wait, { until: 'release' });
    await begun;
    await declareOn(first(), 'provider', requestQueueNumbers);
    await declareOn(first(), unanswered.context, [0]);
    // The request is sent again before a replica of its context runs.
    await declareOn(second(), unanswered.context, [1]);
    queued = bus.request(unanswered, {});
    const queue = topology.requestQueue(unanswered.context);
    await eventually(
      'the request is queued',
      async () => (await stateOf(queue)).messageCount === 1,
    );
    await first().killNode();
    // Of the request that is running, and of its repetition if its reply comes late.
    signals.on('waiting release', () => setImmediate(() => signals.emit('release')));
    signals.emit('release');
  });
  afterAll(async () => {
    await system?.stopAll();
    await connection?.close();
    await cluster?.dispose();
  });

  /** Declares request queues of a context on a node, where they stay. */
  async function declareOn(
    { url }: { url: string },
    context: string,
    numbers: readonly RequestQueueNumber[],
  ) {
    const owner = await connect(url);
    const channel = await owner.createChannel();
    for (const route of requestRoutes) {
      await topology.declareExchange(channel, topology.requestExchange(route));
      for (const number of numbers) {
        await topology.declareRequestQueue(channel, context, route, number);
      }
    }
    await owner.close();
  }

  /** The messages and consumers of a queue; 0 if it does not exist or its node is away. */
  async function stateOf(queue: string) {
    const channel: Channel = await connection.createChannel();
    channel.on('error', () => undefined);
    try {
      return await channel.checkQueue(queue);
    } catch {
      return { messageCount: 0, consumerCount: 0 };
    } finally {
      await (async () => channel.close())().catch(() => undefined);
    }
  }

  const bothConsumeFrom = (number: 0 | 1) =>
    eventually(`both replicas consume from queue ${number}`, async () => {
      const queue = topology.requestQueue('catalog', 'requests', number);
      return (await stateOf(queue)).consumerCount === 2;
    });

  /** Changes things one after another until stopped; resolves with those that were acknowledged. */
  function keepChanging(): () => Promise<string[]> {
    const done: string[] = [];
    let stopped = false;
    const working = (async () => {
      for (let number = 0; !stopped; number += 1) {
        const what = `change ${number}`;
        await system.bus.request(changeOnce, { what }).then(
          () => done.push(what),
          () => undefined,
        );
      }
    })();
    return async () => {
      stopped = true;
      await working;
      return done;
    };
  }

  it('handles requests through a replacement of their queue, while the node of the queue is away', async () => {
    const { bus, catalog } = system;
    await bothConsumeFrom(1);
    // RabbitMQ 4.3 rejects messages to the queue of the node, and for a moment it may count as full.
    const greeting = await eventually('a request succeeds', () =>
      bus.request(greet, { name: 'Ada' }),
    );
    expect(greeting).toMatchObject({ text: 'Hello Ada' });
    await eventually('the replica is ready', async () => {
      return (await catalog.get(Readiness).faults()).length === 0;
    });
  });

  it('delivers events, whose queues have other members', async () => {
    await system.publish('while a node is away');
  });

  it('replies to requests that a replica had received', async () => {
    expect(await running).toEqual({ released: true });
  });

  it('sends requests again that were lost with their queue', async () => {
    @Controller()
    class Unanswered {
      @HandleRequest(unanswered)
      async answer() {
        return {};
      }
    }
    const crawler = await system.start(unanswered.context, [Unanswered], {
      databaseUrl: null,
      transport: transportTo(second()),
    });
    expect(await queued).toEqual({});
    await system.stop(crawler);
  });

  it('an app is not ready while no request queue can be had, and names the queue and its node', async () => {
    @Controller()
    class Handlers {
      @HandleRequest(provided)
      async provide() {
        return {};
      }
    }
    const provider = await system.start('provider', [Handlers], {
      databaseUrl: null,
      transport: transportTo(second()),
    });
    const reason = `(its RabbitMQ node ${first().nodeName} is away|RabbitMQ has not opened it within 1 s; its node may be away)`;
    expect(await provider.get(Readiness).faults()).toEqual(
      requestRoutes.map((route) => {
        const queue = topology.requestQueue('provider', route);
        return expect.stringMatching(new RegExp(`^${queue}: ${reason}$`));
      }),
    );
    await system.stop(provider);
  });

  it('uses the queue again after the return of its node, and no change took effect twice', async () => {
    const { bus, catalog, effects } = system;
    await first().startNode();
    await bothConsumeFrom(0);
    expect(await bus.request(greet, { name: 'Bob' })).toMatchObject({ text: 'Hello Bob' });
    const done = await stopChanging();
    expect(done.length).toBeGreaterThan(0);
    for (const what of done) expect(await effects(catalog, what)).toHaveLength(1);
  });
});
