import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parkedEventRequests } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { eventually, parseMetrics } from '@registrar/testing';
import { Injectable } from '@nestjs/common';
import type { GetMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import {
  type ArrivedMessage,
  authenticationHeaders,
  type MessageFault,
  MessageAuthenticator,
} from '../authentication/message-authenticator.ts';
import { BusClient } from '../bus-client.ts';
import {
  catalogHandlers,
  greet,
  happened,
  subscriberHandlers,
  unanswered,
  wait,
} from '../bus-apps.fixture.ts';
import { type BusSystem, failureOf, startBusSystem, within } from '../bus-system.fixture.ts';
import { HandleRequest } from '../handlers.ts';
import { parkUnverified, unverifiedLimit } from '../parked-events.ts';
import { retryDelaysMs } from '../retry-ladder.ts';
import { generateBusKeys, readBusKeys } from '../authentication/bus-keys.ts';
import { testBusKeySettings, testBusKeysOf } from '../testing/index.ts';
import type { TestBusApp } from '../testing/start-bus-app.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';
import { attemptsHeader } from './event-publisher.ts';

/** A channel of the suite plays a compromised app: RabbitMQ lets it publish to any queue by its name. */
describeWithBroker('authentic messages over RabbitMQ', (url) => {
  let broker: TestBroker;
  let system: BusSystem;
  /** The requests that the compromised app's messages started. */
  const started: string[] = [];
  const provider = new MessageAuthenticator('provider', testBusKeysOf('provider'));

  beforeAll(async () => {
    broker = await openTestBroker(url);
    system = await startBusSystem(broker.transport());
    system.signals.on('waiting attack', () => started.push('attack'));
  });
  afterAll(async () => {
    await system.stopAll();
    await broker.close();
  });

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
  /** Waits until catalog has received what was sent to it before. */
  const received = () => system.bus.request(greet, { name: 'Ada' });
  const replyTo = 'amq.rabbitmq.reply-to.none';

  it.each<[string, MessageFault, () => { content: Buffer; headers: Record<string, unknown> }]>([
    ['an unsigned request', 'unsigned', () => ({ content: attack(), headers: {} })],
    [
      'a request that was changed',
      'forged',
      () => ({
        content: attack(),
        headers: provider.authenticate('request', 'catalog', Buffer.from('[]')),
      }),
    ],
    [
      'a request in the name of another app',
      'unknown-sender',
      () => {
        const content = attack();
        const keys = { ...testBusKeysOf('gateway'), own: testBusKeysOf('provider').own };
        const forger = new MessageAuthenticator('gateway', keys);
        return { content, headers: forger.authenticate('request', 'catalog', content) };
      },
    ],
    [
      'a request to another context',
      'wrong-destination',
      () => {
        const content = attack();
        return { content, headers: provider.authenticate('request', 'identity', content) };
      },
    ],
    [
      'a request of which the sender is no caller',
      'forbidden',
      () => {
        const content = attack();
        return { content, headers: provider.authenticate('request', 'catalog', content) };
      },
    ],
  ])('drops %s', async (_what, reason, message) => {
    const before = await rejections(system.catalog, reason);
    const { content, headers } = message();
    const queue = broker.topology.requestQueue('catalog');
    broker.channel.sendToQueue(queue, content, { headers, replyTo });
    await eventually(`it counts as ${reason}`, async () => {
      await received();
      return (await rejections(system.catalog, reason)) === before + 1;
    });
    expect(started).toEqual([]);
  });

  it('drops requests of an app in the queue of the operator', async () => {
    const before = await rejections(system.catalog, 'malformed');
    const gateway = new MessageAuthenticator('gateway', testBusKeysOf('gateway'));
    const content = attack();
    const headers = gateway.authenticate('request', 'catalog', content);
    const queue = broker.topology.requestQueue('catalog', 'operator');
    broker.channel.sendToQueue(queue, content, { headers, replyTo });
    await eventually(
      'it counts as malformed',
      async () => (await rejections(system.catalog, 'malformed')) === before + 1,
    );
    expect(started).toEqual([]);
    expect(await system.operator.request(greet, { name: 'Ada' })).toMatchObject({
      text: 'Hello Ada',
    });
  });

  it.each([
    ['unsigned', 'unsigned'],
    ['authentic, but of another context', 'forbidden'],
  ] as const)('drops an event that is %s, without parking it', async (_what, reason) => {
    const before = await rejections(system.enrolment, reason);
    const payload = { what: `attack ${reason}` };
    const event = { messageId: randomUUID(), name: happened.name, payload, requestId: 'attack' };
    const content = Buffer.from(JSON.stringify(event));
    const headers =
      reason === 'unsigned' ? {} : provider.authenticate('event', 'enrolment', content);
    for (const queue of [
      broker.topology.eventQueue('enrolment'),
      broker.topology.parkedQueue('enrolment'),
    ]) {
      broker.channel.sendToQueue(queue, content, { headers });
    }
    await eventually(
      'both are dropped',
      async () => (await rejections(system.enrolment, reason)) === before + 2,
    );
    expect(await system.effects(system.enrolment, payload.what)).toEqual([]);
  });

  it('keeps an event of a sender whose key it lacks, and handles it when it has the key', async () => {
    const { channel, topology } = broker;
    const { start, stop, effects, enrolment, probe, operator } = system;
    const parkedEvents = parkedEventRequests.enrolment;
    const next = generateBusKeys(['catalog']).catalog;
    const { BUS_PRIVATE_KEY, BUS_PUBLIC_KEYS } = testBusKeySettings.enrolment;
    const published = `${next.BUS_PUBLIC_KEYS}\n${BUS_PUBLIC_KEYS}`;
    const { BUS_PRIVATE_KEY: own } = next;
    const catalog = new MessageAuthenticator(
      'catalog',
      readBusKeys('catalog', { BUS_PRIVATE_KEY: own, BUS_PUBLIC_KEYS: published }),
    );
    const deliver = (what: string, attempts: number) => {
      const event = { messageId: randomUUID(), name: happened.name, requestId: 'suite' };
      const content = Buffer.from(JSON.stringify({ ...event, payload: { what } }));
      const headers = catalog.authenticate('event', 'enrolment', content);
      channel.sendToQueue(topology.eventQueue('enrolment'), content, {
        headers: { ...headers, [attemptsHeader]: attempts },
      });
    };
    const before = await rejections(enrolment, 'unknown-sender');
    deliver('early', 0);
    deliver('much too early', retryDelaysMs.length);
    const parked = await eventually('it is parked', async () => {
      for await (const {
        items: [first],
      } of operator.pages(parkedEvents.list, {}, 1))
        return first;
      return null;
    });
    expect(parked).toMatchObject({
      event: happened.name,
      reason: 'it cannot be verified: unknown-sender',
    });
    const { id } = parked;
    expect(await failureOf(operator.request(parkedEvents.replay, { id }))).toMatchObject({
      code: 'invalid',
      message: 'the message cannot be verified: unknown-sender',
    });
    expect(await rejections(enrolment, 'unknown-sender')).toBeGreaterThanOrEqual(before + 2);

    await stop(enrolment);
    const handled = once(probe.signals, 'enrolment early');
    const having = broker.transport(url, (app) =>
      readBusKeys(app, { BUS_PRIVATE_KEY, BUS_PUBLIC_KEYS: published }),
    );
    const handlers = [subscriberHandlers(probe, 'enrolment')];
    const restarted = await start('enrolment', handlers, { transport: having });
    await handled;
    await operator.request(parkedEvents.replay, { id });
    for (const what of ['early', 'much too early']) {
      expect(await effects(restarted, what)).toHaveLength(1);
    }

    const database = restarted.get(Database);
    const message = { event: null, attempts: 5, reason: '', authentication: {} };
    const park = (text: string) =>
      parkUnverified(database, { ...message, content: Buffer.from(text) });
    await database.execute(
      sql`INSERT INTO parked_events (message_id, content, attempts, reason, authentication)
          SELECT number, '', 5, '', '{}' FROM generate_series(2, ${unverifiedLimit}) AS number`,
    );
    expect(await park('the last')).toBe(true);
    expect(await park('one more')).toBe(false);
    await stop(restarted);
  });

  it('accepts a captured request once, and only the replies of the context that was asked', async () => {
    const { channel, topology } = broker;
    const queue = await topology.declareRequestQueue(channel, unanswered.context);
    const answered = system.bus.request(unanswered, {});
    const captured: GetMessage = await eventually(
      'the request is queued',
      async () => (await channel.get(queue, { noAck: true })) || null,
    );
    const reply = Buffer.from('[{"id":1,"reply":{"forged":true}}]'.replace('1', idOf(captured)));
    const asked = captured as ArrivedMessage;
    // Another context sends a reply, and one without a MAC.
    const session = authenticationHeaders(asked)['registrar-auth'] as string;
    const caller = {
      sender: 'gateway',
      session: session.split(' ')[7]!,
      answers: null,
      senderKey: session.split(' ')[4]!,
      ownKey: testBusKeysOf('provider').own[0]!.id,
    };
    const before = await rejections(system.gateway, 'unsigned');
    const to = String(captured.properties.replyTo);
    channel.sendToQueue(to, reply, { headers: provider.authenticateReply(caller, reply) });
    channel.sendToQueue(to, reply);
    await eventually(
      'the replies have arrived',
      async () => (await rejections(system.gateway, 'unsigned')) === before + 1,
    );

    let calls = 0;
    @Injectable()
    class Unanswered {
      @HandleRequest(unanswered)
      async answer() {
        calls += 1;
        return {};
      }
    }
    const app = await system.start(unanswered.context, [Unanswered], { databaseUrl: null });
    for (let copy = 0; copy < 3; copy += 1) {
      channel.sendToQueue(queue, captured.content, {
        headers: authenticationHeaders(asked),
        replyTo: to,
      });
    }
    expect(await answered).toEqual({});
    await eventually(
      'the copies are dropped',
      async () => (await rejections(app, 'replayed')) === 2,
    );
    expect(calls).toBe(1);
    await system.stop(app);
  });

  it('fails requests that the caller may not send, tells the caller so, and logs one of them', async () => {
    const app = await system.start('provider', [], { databaseUrl: null });
    const logged = () =>
      system.log
        .lines()
        .filter((line) => JSON.stringify(line).includes('"request":"catalog.greet","'));
    const counted = await rejections(system.catalog, 'forbidden');
    const before = logged().length;
    for (let request = 0; request < 3; request += 1) {
      expect(await failureOf(app.get(BusClient).request(greet, { name: 'Ada' }))).toMatchObject({
        code: 'internal',
        message: 'provider is not a caller of catalog.greet',
      });
    }
    expect(await rejections(system.catalog, 'forbidden')).toBe(counted + 3);
    // None, if another request was rejected less than 10 s before.
    expect(logged().length - before).toBeLessThanOrEqual(1);
    await system.stop(app);
  });

  it('a draining replica returns requests with the MAC of their caller', async () => {
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
    expect(await rejections(replica, 'replayed')).toBe(0);
    await stop(replica);
  });

  // The suite's catalog, which has the old keys alone, has stopped.
  it('answers every request while the keys of a context are changed, a replica at a time', async () => {
    const { start, stop, probe } = system;
    const next = generateBusKeys(['catalog']).catalog;
    const { BUS_PRIVATE_KEY: own, BUS_PUBLIC_KEYS: known } = testBusKeySettings.catalog;
    const published = `${known}\n${next.BUS_PUBLIC_KEYS}`;
    const withoutOld = published.replace(/catalog=\S+\s/, '');
    /** The transport of a replica that has these keys. */
    const having = (privateKey: string, publicKeys: string) =>
      broker.transport(url, (app) =>
        readBusKeys(app, { BUS_PRIVATE_KEY: privateKey, BUS_PUBLIC_KEYS: publicKeys }),
      );
    const gatewayKey = testBusKeySettings.gateway.BUS_PRIVATE_KEY;
    const startGateway = (publicKeys: string) =>
      start('gateway', [], { databaseUrl: null, transport: having(gatewayKey, publicKeys) });
    const startCatalog = (privateKey: string, publicKeys: string) =>
      start('catalog', [catalogHandlers(probe)], { transport: having(privateKey, publicKeys) });

    let gateway = await startGateway(published);
    let catalog = await startCatalog(own, published);
    let answered = 0;
    let ended = false;
    const send = async () => {
      while (!ended) {
        await gateway.get(BusClient).request(greet, { name: 'Ada' });
        answered += 1;
      }
    };
    const sending = Promise.all([send(), send(), send()]);
    const replaceCatalog = async (privateKey: string, publicKeys: string) => {
      const previous = catalog;
      catalog = await startCatalog(privateKey, publicKeys);
      await stop(previous);
    };
    const replaceGateway = async (publicKeys: string) => {
      const previous = gateway;
      gateway = await startGateway(publicKeys);
      // Its requests under way are answered before it disconnects.
      const before = answered;
      await eventually('others are answered', async () => answered > before + 3);
      await stop(previous);
    };
    await replaceCatalog(`${next.BUS_PRIVATE_KEY}\n${own}`, published);
    await replaceGateway(withoutOld);
    await replaceCatalog(next.BUS_PRIVATE_KEY, withoutOld);
    ended = true;
    await sending;
    expect(answered).toBeGreaterThan(0);
    for (const app of [gateway, catalog]) {
      expect(await rejections(app, 'unknown-sender')).toBe(0);
      expect(await rejections(app, 'wrong-destination')).toBe(0);
    }
  });
});

const idOf = ({ content }: GetMessage) =>
  String((JSON.parse(content.toString()) as [{ id: number }])[0].id);
