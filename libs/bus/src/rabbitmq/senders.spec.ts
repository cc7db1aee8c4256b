import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BusApp, busApps, parkedEventRequests } from '@registrar/contracts';
import {
  DedicatedBroker,
  eventually,
  findBrokerInstallation,
  parseMetrics,
  testLogger,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { type Channel, type ChannelModel, connect, type GetMessage, type Options } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { BusMetrics, type MessageFault } from '../bus-metrics.ts';
import { catalogHandlers, greet, happened, unanswered, wait } from '../bus-apps.fixture.ts';
import { type BusSystem, startBusSystem, within } from '../bus-system.fixture.ts';
import { RejectedMessages } from '../rejected-messages.ts';
import type { TestBusApp } from '../testing/start-bus-app.ts';
import type { BusTransport } from '../transport.ts';
import { attemptsHeader } from './event-publisher.ts';
import { permissionDefinitions } from './permissions.ts';
import { rabbitMqTransport } from './rabbitmq-transport.ts';
import { recipientHeader } from './request-messages.ts';
import { Topology } from './topology.ts';

const namespace = 'senders';
const prefix = 'senders-';
const password = 'known';
const topology = new Topology(namespace);

/** Each app has its account; `provider` is a compromised app, which the suite plays. */
describeWith(findBrokerInstallation(), 'senders of messages over RabbitMQ', () => {
  let broker: DedicatedBroker;
  let transport: BusTransport;
  let system: BusSystem;
  let connections: ChannelModel[] = [];
  let provider: Channel;
  /** An account that is not an app's: the administrator's. */
  let stranger: Channel;
  /** The requests that messages of the suite started. */
  const started: string[] = [];

  const urlOf = (user: BusApp) => {
    const url = new URL(broker.url);
    url.username = `${prefix}${user}`;
    url.password = password;
    return url.href;
  };
  const channelOf = async (url: string) => {
    const connection = await connect(url);
    connections = [...connections, connection];
    return connection.createChannel();
  };

  beforeAll(async () => {
    broker = await DedicatedBroker.start();
    const users = busApps.map((app) => ({ name: `${prefix}${app}`, password, tags: '' }));
    const directory = await mkdtemp(join(tmpdir(), 'registrar-definitions-'));
    const file = join(directory, 'definitions.json');
    const allowed = permissionDefinitions({ namespace, vhost: '/', prefix });
    await writeFile(file, JSON.stringify({ users, ...allowed }));
    await broker.control('import_definitions', file);
    await rm(directory, { recursive: true });
    transport = {
      join: (app) =>
        rabbitMqTransport({
          url: urlOf(app.name as BusApp),
          namespace,
          logger: app.logger,
          accounts: 'per-app',
        }).join(app),
    };
    system = await startBusSystem(transport);
    system.signals.on('waiting attack', () => started.push('attack'));
    provider = await channelOf(urlOf('provider'));
    stranger = await channelOf(broker.url);
  });
  afterAll(async () => {
    for (const connection of connections) await connection.close();
    await system?.stopAll();
    await broker?.dispose();
  });

  const own = { userId: `${prefix}provider`, appId: 'provider' };
  const asCrawler = { userId: `${prefix}crawler`, appId: 'crawler' };
  const rejections = async (app: TestBusApp, reason: MessageFault) =>
    parseMetrics(await app.get(Registry).metrics()).value('registrar_bus_rejected_messages_total', {
      reason,
    }) ?? 0;
  const attack = () =>
    Buffer.from(
      JSON.stringify([
        {
          id: 1,
          name: wait.name,
          deadline: Date.now() + 10_000,
          sentAt: Date.now(),
          requestId: 'attack',
          input: { until: 'attack' },
        },
      ]),
    );
  const eventOf = (what: string) =>
    Buffer.from(
      JSON.stringify({
        messageId: randomUUID(),
        name: happened.name,
        payload: { what },
        requestId: 'attack',
      }),
    );
  /** Waits until catalog has received what was sent to it before. */
  const received = () => system.bus.request(greet, { name: 'Ada' });
  const replyTo = 'amq.rabbitmq.reply-to.none';

  it('senders are verified by the broker, which refuses a message in the name of another account', async () => {
    const channel = await connections[0]!.createChannel();
    const refused = once(channel, 'error');
    const userId = `${prefix}gateway`;
    channel.sendToQueue(topology.requestQueue('catalog'), attack(), { userId, replyTo });
    const [error] = (await refused) as [Error];
    expect(error.message).toContain('PRECONDITION_FAILED - user_id property set to');
  });

  it.each<[string, MessageFault, Options.Publish]>([
    ['without an account', 'anonymous', {}],
    ['of another app than its account, as it says', 'forbidden', { ...own, appId: 'gateway' }],
    ['of which the sender is no caller', 'forbidden', own],
  ])('a request %s is dropped', async (_what, reason, properties) => {
    const before = await rejections(system.catalog, reason);
    const queue = topology.requestQueue('catalog');
    provider.sendToQueue(queue, attack(), { ...properties, replyTo });
    await eventually(`it counts as ${reason}`, async () => {
      await received();
      return (await rejections(system.catalog, reason)) === before + 1;
    });
    expect(started).toEqual([]);
  });

  it('a request from the account of no app is dropped', async () => {
    const before = await rejections(system.catalog, 'unknown-sender');
    const queue = topology.requestQueue('catalog');
    stranger.sendToQueue(queue, attack(), { userId: 'guest', appId: 'gateway', replyTo });
    await eventually('it counts as unknown-sender', async () => {
      await received();
      return (await rejections(system.catalog, 'unknown-sender')) === before + 1;
    });
    expect(started).toEqual([]);
  });

  it('a request of an app in the queue of the operator is dropped', async () => {
    const before = await rejections(system.catalog, 'malformed');
    const queue = topology.requestQueue('catalog', 'operator');
    provider.sendToQueue(queue, attack(), { ...own, replyTo });
    await eventually(
      'it counts as malformed',
      async () => (await rejections(system.catalog, 'malformed')) === before + 1,
    );
    expect(started).toEqual([]);
    expect(await system.operator.request(greet, { name: 'Ada' })).toMatchObject({
      text: 'Hello Ada',
    });
  });

  it.each<[string, MessageFault, Options.Publish]>([
    ['without an account', 'anonymous', {}],
    ['of another context than its account', 'forbidden', { ...own, appId: 'catalog' }],
  ])('an event %s is dropped, and not parked', async (_what, reason, properties) => {
    const before = await rejections(system.enrolment, reason);
    const what = `attack ${reason}`;
    for (const queue of [topology.eventQueue('enrolment'), topology.parkedQueue('enrolment')]) {
      provider.sendToQueue(queue, eventOf(what), properties);
    }
    await eventually(
      'both are dropped',
      async () => (await rejections(system.enrolment, reason)) === before + 2,
    );
    expect(await system.effects(system.enrolment, what)).toEqual([]);
  });

  it('an event from the account of no app is parked, for the operator to replay', async () => {
    const requests = parkedEventRequests.enrolment;
    stranger.sendToQueue(topology.eventQueue('enrolment'), eventOf('renamed'), {
      userId: 'guest',
      appId: 'catalog',
    });
    const parked = await eventually('it is parked', async () => {
      for await (const { items } of system.operator.pages(requests.list, {}, 1)) return items[0];
      return null;
    });
    expect(parked).toMatchObject({
      reason: 'sent by the account guest, which is not that of an app',
    });
    expect(await system.effects(system.enrolment, 'renamed')).toEqual([]);
    await system.operator.request(requests.replay, { id: parked.id });
    expect(await system.effects(system.enrolment, 'renamed')).toHaveLength(1);
  });

  it('events of one message from the account of no app are parked one by one', async () => {
    const requests = parkedEventRequests.enrolment;
    const [one, two] = [eventOf('renamed, first'), eventOf('renamed, second')];
    const queue = topology.eventQueue('enrolment');
    const properties = { userId: 'guest', appId: 'catalog' };
    stranger.sendToQueue(queue, Buffer.from(`[${[one, two].join(',')}]`), properties);
    const parked = await eventually('both are parked', async () => {
      for await (const { items } of system.operator.pages(requests.list, {}, 2)) {
        return items.length === 2 && items;
      }
      return null;
    });
    for (const { id } of parked) await system.operator.request(requests.replay, { id });
    for (const what of ['renamed, first', 'renamed, second']) {
      expect(await system.effects(system.enrolment, what)).toHaveLength(1);
    }
  });

  it('a message with an event of another context is dropped', async () => {
    const before = await rejections(system.enrolment, 'forbidden');
    const own = JSON.parse(eventOf('of its own').toString()) as object;
    const list = [JSON.stringify({ ...own, name: 'provider.happened' }), eventOf('foreign')];
    provider.sendToQueue(topology.eventQueue('enrolment'), Buffer.from(`[${list.join(',')}]`), {
      userId: `${prefix}provider`,
      appId: 'provider',
    });
    await eventually(
      'it counts as forbidden',
      async () => (await rejections(system.enrolment, 'forbidden')) === before + 1,
    );
    expect(await system.effects(system.enrolment, 'foreign')).toEqual([]);
  });

  it('an event keeps its sender while it is retried', async () => {
    system.probe.remainingFailures.set('enrolment retried', 1);
    const before = await rejections(system.enrolment, 'forbidden');
    await system.publish('retried');
    expect(await rejections(system.enrolment, 'forbidden')).toBe(before);
    expect(await system.effects(system.enrolment, 'retried')).toHaveLength(1);
  });

  it('an attempt of an event that an app sends in its own name is not retried', async () => {
    const before = await rejections(system.enrolment, 'forbidden');
    provider.sendToQueue(topology.retryQueue('enrolment', 1_000), eventOf('attempted'), {
      ...own,
      appId: 'catalog',
      headers: { [attemptsHeader]: 1 },
    });
    await eventually(
      'it is dropped when it leaves the retry queue',
      async () => (await rejections(system.enrolment, 'forbidden')) === before + 1,
    );
    expect(await system.effects(system.enrolment, 'attempted')).toEqual([]);
  });

  it('a reply counts only from the context that was asked, and for the app that asked it', async () => {
    const queue = topology.requestQueue(unanswered.context);
    const crawler = await channelOf(urlOf('crawler'));
    await topology.declareRequestQueue(crawler, unanswered.context);
    const answered = system.bus.request(unanswered, {});
    const captured: GetMessage = await eventually(
      'the request is queued',
      async () => (await crawler.get(queue, { noAck: true })) || null,
    );
    expect(captured.properties).toMatchObject({ userId: `${prefix}gateway`, appId: 'gateway' });
    const id = idOf(captured);
    const to = String(captured.properties.replyTo);
    const forged = Buffer.from(JSON.stringify([{ id, reply: { forged: true } }]));
    const headers = { [recipientHeader]: 'gateway' };
    const anonymous = await rejections(system.gateway, 'anonymous');
    const misdirected = await rejections(system.gateway, 'wrong-destination');
    provider.sendToQueue(to, forged, { ...own, headers });
    // As crawler would reply to a request in which provider named the queue of gateway.
    crawler.sendToQueue(to, forged, { ...asCrawler, headers: { [recipientHeader]: 'provider' } });
    crawler.sendToQueue(to, forged, { headers });
    await eventually(
      'the forged replies have arrived',
      async () =>
        (await rejections(system.gateway, 'anonymous')) === anonymous + 1 &&
        (await rejections(system.gateway, 'wrong-destination')) === misdirected + 1,
    );
    const reply = Buffer.from(JSON.stringify([{ id, reply: {} }]));
    crawler.sendToQueue(to, reply, { ...asCrawler, headers });
    expect(await answered).toEqual({});
  });

  it('a reply to a request with the reply queue of another app is dropped there', async () => {
    const queue = topology.requestQueue('crawler');
    const crawler = await channelOf(urlOf('crawler'));
    await topology.declareRequestQueue(crawler, 'crawler');
    // A slow test before may have left a message without requests there.
    await crawler.purgeQueue(queue);
    const asked = system.bus.request(unanswered, {}).catch(() => null);
    const captured: GetMessage = await eventually(
      'the request is queued',
      async () => (await crawler.get(queue, { noAck: true })) || null,
    );
    const to = String(captured.properties.replyTo);
    const before = await rejections(system.gateway, 'wrong-destination');
    const request = { id: 1, name: greet.name, deadline: Date.now() + 10_000, sentAt: Date.now() };
    const content = Buffer.from(
      JSON.stringify([{ ...request, requestId: 'attack', input: { name: 'Eve' } }]),
    );
    crawler.sendToQueue(topology.requestQueue('catalog'), content, {
      ...asCrawler,
      replyTo: to,
    });
    await eventually(
      'the reply of catalog is dropped',
      async () => (await rejections(system.gateway, 'wrong-destination')) === before + 1,
    );
    const withdrawn = [{ id: idOf(captured), failure: { code: 'not-found', message: 'none' } }];
    crawler.sendToQueue(to, Buffer.from(JSON.stringify(withdrawn)), {
      ...asCrawler,
      headers: { [recipientHeader]: 'gateway' },
    });
    await asked;
  });

  it('requests that the caller may not send fail, tell the caller so, and are logged once', async () => {
    const logged = () =>
      system.log
        .lines()
        .filter((line) => JSON.stringify(line).includes('"request":"catalog.greet","'));
    const counted = await rejections(system.catalog, 'forbidden');
    const before = logged().length;
    const replies: unknown[] = [];
    const directReplyTo = 'amq.rabbitmq.reply-to';
    await provider.consume(
      directReplyTo,
      (message) => replies.push(JSON.parse(String(message?.content))),
      { noAck: true },
    );
    const content = Buffer.from(attack().toString().replace(wait.name, greet.name));
    for (let request = 0; request < 3; request += 1) {
      const queue = topology.requestQueue('catalog');
      provider.sendToQueue(queue, content, { ...own, replyTo: directReplyTo });
    }
    const message = 'provider is not a caller of catalog.greet';
    await eventually('all are answered', async () => replies.flat().length === 3);
    expect(replies.flat()).toEqual(
      Array(3).fill({ id: 1, failure: { code: 'internal', message } }),
    );
    expect(await rejections(system.catalog, 'forbidden')).toBe(counted + 3);
    // None, if another request was rejected less than 10 s before.
    expect(logged().length - before).toBeLessThanOrEqual(1);
  });

  it('a draining replica returns requests with their sender', async () => {
    const { bus, start, stop, probe, catalog, signals } = system;
    const begun = once(signals, 'waiting the last');
    const running = Array.from({ length: 64 }, (_request, index) =>
      bus.request(wait, { until: index === 63 ? 'the last' : 'the others' }),
    );
    await begun;
    const waiting = within(20_000, () => bus.request(greet, { name: 'Bob' }));
    const replica = await start('catalog', [catalogHandlers(probe)]);
    const stopped = stop(catalog);
    expect(await waiting).toMatchObject({ text: 'Hello Bob' });
    signals.emit('the others');
    signals.emit('the last');
    expect(await Promise.all(running)).toEqual(Array(64).fill({ released: true }));
    await stopped;
    expect(await rejections(replica, 'forbidden')).toBe(0);
    await stop(replica);
  });

  it('an app with the account of another one does not start', () => {
    const { logger } = testLogger('bus');
    const join = (name: string, accounts: 'per-app' | 'shared') =>
      rabbitMqTransport({ url: urlOf('gateway'), namespace, logger, accounts }).join({
        name,
        logger,
        database: null,
        metrics: system.catalog.get(BusMetrics),
        rejected: system.catalog.get(RejectedMessages),
      });
    expect(() => join('identity', 'per-app')).toThrow(
      `AMQP_URL has the account ${prefix}gateway, which is not that of identity`,
    );
    join('gateway', 'per-app');
    join('identity', 'shared');
  });
});

const idOf = ({ content }: GetMessage) =>
  (JSON.parse(content.toString()) as [{ id: number }])[0].id;
