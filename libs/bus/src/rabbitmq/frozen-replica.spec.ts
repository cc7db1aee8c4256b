import { afterAll, beforeAll, expect, it } from 'vitest';
import { clock } from '@registrar/platform';
import { eventually, parseMetrics } from '@registrar/testing';
import { type ChannelModel, connect, type ConsumeMessage } from 'amqplib';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import { greet, wait, waitAndChange } from '../bus-apps.fixture.ts';
import { type BusSystem, startBusSystem } from '../bus-system.fixture.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';
import { numberHeader, signs } from './request-messages.ts';

describeWithBroker('a frozen replica over RabbitMQ', (url) => {
  let broker: TestBroker;
  let system: BusSystem;
  let queue: string;
  let connection: ChannelModel;
  /** The messages of replies to the requests that the suite sends itself. */
  const replies: ConsumeMessage[] = [];

  beforeAll(async () => {
    broker = await openTestBroker(url);
    connection = await connect(url);
    system = await startBusSystem(broker.transport());
    queue = broker.topology.requestQueue('catalog');
    const note = (message: ConsumeMessage | null) => void (message && replies.push(message));
    await broker.channel.consume('amq.rabbitmq.reply-to', note, { noAck: true });
  });
  afterAll(async () => {
    clock.reset();
    await system.stopAll();
    await connection.close();
    await broker.close();
  });

  /** Receives messages like a replica that was stopped: it neither acknowledges nor rejects them. */
  const freeze = async () => {
    const channel = await connection.createChannel();
    let received = 0;
    await channel.prefetch(32);
    await channel.consume(queue, () => void (received += 1));
    return { received: () => received, end: () => channel.close() };
  };
  const repeated = async () =>
    parseMetrics(await system.gateway.get(Registry).metrics()).sum('registrar_bus_repeated_total');
  /** Sends requests as the gateway does. */
  const send = (requests: readonly object[], headers = {}) =>
    broker.channel.sendToQueue(queue, Buffer.from(JSON.stringify(requests)), {
      userId: 'guest',
      appId: 'gateway',
      replyTo: 'amq.rabbitmq.reply-to',
      headers,
    });
  const requestOf = (id: number, name: string, input: object) => {
    const now = clock.now();
    return { id, name, deadline: now + 600_000, sentAt: now, requestId: 'suite', input };
  };
  const signed = (sign: keyof typeof signs, value: string) =>
    eventually(`the sign ${sign} of ${value}`, async () =>
      replies.some(({ properties }) => properties.headers?.[signs[sign]] === value),
    );

  it('a frozen replica keeps no request from the others, which answer all of them', async () => {
    const { bus, log } = system;
    const frozen = await freeze();
    const answers = [];
    for (let index = 0; index < 8; index += 1) {
      const some = Array.from({ length: 8 }, (_, each) => bus.request(greet, { name: `${each}` }));
      answers.push(...(await Promise.all(some)));
    }
    expect(answers).toHaveLength(64);
    expect(frozen.received()).toBeGreaterThan(0);
    expect(await repeated()).toBeGreaterThan(0);
    const warned = log.lines().filter(({ msg }) => String(msg).includes('are sent again'));
    expect(warned[0]).toMatchObject({ queue: 'catalog', requests: expect.any(Number) });
    await frozen.end();
  });

  it('a request that a frozen replica received is not handled again when the broker takes it back', async () => {
    const { bus, signals } = system;
    let handled = 0;
    signals.on('waiting alone', () => (handled += 1));
    const frozen = await freeze();
    const before = frozen.received();
    let requests = 0;
    while (frozen.received() === before) {
      const begun = once(signals, 'waiting alone');
      const answer = bus.request(wait, { until: 'alone' });
      requests += 1;
      await begun;
      signals.emit('alone');
      expect(await answer).toEqual({ released: true });
    }
    await frozen.end();
    await eventually('the broker has delivered all messages', async () => {
      await bus.request(greet, { name: 'Ada' });
      return (await broker.channel.checkQueue(queue)).messageCount === 0;
    });
    expect(handled).toBe(requests);
  });

  it('a change that a frozen replica received takes effect once, elsewhere', async () => {
    const { bus, signals } = system;
    const frozen = await freeze();
    const changes = new Set<string>();
    let begun = 0;
    const names = Array.from({ length: 6 }, (_, index) => `change ${index}`);
    for (const name of names) {
      signals.on(`waiting ${name}`, () => {
        begun += 1;
        changes.add(name);
        setImmediate(() => signals.emit(name));
      });
    }
    for (const until of names) {
      expect(await bus.request(waitAndChange, { until })).toEqual({ released: true });
    }
    expect(frozen.received()).toBeGreaterThan(0);
    await frozen.end();
    expect([begun, changes.size]).toEqual([names.length, names.length]);
  });

  it('requests that are delivered again go back to their caller', async () => {
    const frozen = await freeze();
    await eventually('it has received a request', async () => {
      send([requestOf(101, greet.name, { name: 'Ada' })]);
      return frozen.received() > 0;
    });
    await frozen.end();
    await signed('returned', '101');
  });

  it('callers learn which messages and which unanswered requests a replica has', async () => {
    const begun = once(system.signals, 'waiting an answer');
    send([requestOf(102, wait.name, { until: 'an answer' })], { [numberHeader]: '0 7' });
    await begun;
    await signed('received', '0 7');
    await eventually('the sign of the request', async () =>
      replies.some(({ properties }) =>
        String(properties.headers?.[signs.inHand]).split(' ').includes('102'),
      ),
    );
    system.signals.emit('an answer');
  });

  it('a replica that continues starts no request that waited meanwhile', async () => {
    const { bus, signals } = system;
    const full = once(signals, 'waiting the last');
    const running = Array.from({ length: 64 }, (_request, index) =>
      bus.request(wait, { until: index === 63 ? 'the last' : 'the others' }),
    );
    await full;
    send([requestOf(103, wait.name, { until: 'it waits' })], { [numberHeader]: '0 8' });
    await signed('received', '0 8');
    const started = once(signals, 'waiting it waits').then(() => 'started');
    // As for a process that was stopped for as long.
    clock.step(2_000);
    signals.emit('the others');
    signals.emit('the last');
    await Promise.all(running);
    const returned = signed('returned', '103').then(() => 'returned');
    expect(await Promise.race([started, returned])).toBe('returned');
  });
});
