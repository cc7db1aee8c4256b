import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '@registrar/testing';
import { parkedEventRequests, type ParkedEventSummary } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { counted, happened } from '../bus-apps.fixture.ts';
import { type BusSystem, startBusSystem } from '../bus-system.fixture.ts';
import { Outbox } from '../outbox.ts';
import { retryDelaysMs } from '../retry-ladder.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';
import { attemptsHeader } from './event-publisher.ts';

const parked = parkedEventRequests.enrolment;
const sentByCatalog = { userId: 'guest', appId: 'catalog' };

describeWithBroker('poison events over RabbitMQ', (url) => {
  let broker: TestBroker;
  let system: BusSystem;

  beforeAll(async () => {
    broker = await openTestBroker(url);
    system = await startBusSystem(broker.transport());
    for (let attempts = 0; attempts <= retryDelaysMs.length; attempts += 1) {
      system.probe.remainingFailures.set(`enrolment poison ${attempts}`, Infinity);
    }
  });
  afterAll(async () => {
    await system.stopAll();
    await broker.close();
  });

  const event = (name: string, payload: unknown) =>
    Buffer.from(JSON.stringify({ messageId: randomUUID(), name, payload, requestId: 'suite' }));
  /** Returns a message of several events. */
  const listOf = (...events: readonly (Buffer | undefined)[]) =>
    Buffer.from(`[${events.join(',')}]`);
  /** Sends a message to enrolment's event queue, with a number of failed attempts. */
  const deliver = (content: Buffer, attempts = 0) =>
    broker.channel.sendToQueue(broker.topology.eventQueue('enrolment'), content, {
      ...sentByCatalog,
      headers: { [attemptsHeader]: attempts },
    });
  /** Sends a message to enrolment's dead-letter queue, as the broker does. */
  const deadLetter = (content: Buffer) =>
    broker.channel.sendToQueue(broker.topology.parkedQueue('enrolment'), content, sentByCatalog);
  const take = (queue: string) =>
    eventually(`a message is in ${queue}`, () => broker.channel.get(queue, { noAck: true }));
  const listed = async () => {
    const items: ParkedEventSummary[] = [];
    for await (const { items: page } of system.operator.pages(parked.list, {}, 2))
      items.push(...page);
    return items;
  };
  /** Resolves with the parked event that has this content. */
  const parkedAs = (content: Buffer) =>
    eventually('the message is parked', async () => {
      for (const { id } of await listed()) {
        const shown = await system.operator.request(parked.inspect, { id });
        if (Buffer.from(shown.message, shown.encoding).equals(content)) return shown;
      }
      return null;
    });
  const replay = (id: string) => system.operator.request(parked.replay, { id });

  it('an event that fails goes to the next retry queue', async () => {
    // The first delay is short, so the event reaches the second retry queue by itself.
    for (const attempts of [0, 2, 3]) {
      const poison = event(happened.name, { what: `poison ${attempts}` });
      deliver(poison, attempts);
      const step = Math.max(attempts, 1);
      const queue = broker.topology.retryQueue('enrolment', retryDelaysMs[step] ?? 0);
      const message = await take(queue);
      expect(message.content).toEqual(poison);
      expect(message.properties.headers).toMatchObject({ [attemptsHeader]: step + 1 });
    }
  });

  it('an event that failed every retry is parked with the reason and without effects', async () => {
    const poison = event(happened.name, { what: 'poison 4' });
    deliver(poison, retryDelaysMs.length);
    expect(await parkedAs(poison)).toMatchObject({
      context: 'enrolment',
      event: happened.name,
      attempts: retryDelaysMs.length + 1,
      reason: 'not yet',
      encoding: 'utf8',
    });
    expect(await system.effects(system.enrolment, 'poison 4')).toHaveLength(0);
  });

  it.each([
    ['of an unknown name', event('catalog.unknown', {}), 'no handler for catalog.unknown'],
    [
      'whose payload does not match its contract',
      event(happened.name, { whatever: 42 }),
      'malformed catalog.happened',
    ],
    ['whose name contains NUL', event('catalog.\0', {}), 'no handler for catalog.'],
  ])('an event %s is parked after its last retry', async (_what, content, reason) => {
    deliver(content, retryDelaysMs.length);
    const { id, reason: parkedReason } = await parkedAs(content);
    expect(parkedReason).toContain(reason);
    await expect(replay(id)).rejects.toMatchObject({ code: 'invalid' });
    expect(await parkedAs(content)).toMatchObject({ id });
  });

  it('a message that is not an event is parked at once and can only be dropped', async () => {
    const noise = Buffer.from([0xff, 0x00, 0x7b, 0x22]);
    deliver(noise);
    const { id, event, encoding } = await parkedAs(noise);
    expect({ event, encoding }).toEqual({ event: null, encoding: 'base64' });
    await expect(replay(id)).rejects.toMatchObject({ code: 'invalid' });
    await system.operator.request(parked.drop, { id });
    expect((await listed()).map((each) => each.id)).not.toContain(id);
    await expect(system.operator.request(parked.drop, { id })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('an event that the broker dead-lettered is parked and can be replayed', async () => {
    const lost = event(happened.name, { what: 'given up' });
    deadLetter(lost);
    const { id, reason } = await parkedAs(lost);
    expect(reason).toBe('the broker dead-lettered it: too many deliveries');
    await replay(id);
    expect(await system.effects(system.enrolment, 'given up')).toHaveLength(1);
  });

  it('a replayed event is handled once, by its own context only', async () => {
    const { probe, effects, enrolment } = system;
    probe.remainingFailures.set('enrolment cured', Infinity);
    const content = event(happened.name, { what: 'cured' });
    deliver(content, retryDelaysMs.length);
    const { id } = await parkedAs(content);
    await expect(replay(id)).rejects.toMatchObject({ message: 'not yet' });
    probe.remainingFailures.clear();
    const outcomes = await Promise.allSettled([replay(id), replay(id)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await effects(enrolment, 'cured')).toHaveLength(1);
    // The inbox discards a duplicate that is parked and replayed.
    deadLetter(content);
    await replay((await parkedAs(content)).id);
    expect(await effects(enrolment, 'cured')).toHaveLength(1);
  });

  it('an event that fails is retried alone, when others have arrived in the same message', async () => {
    const whats = ['before the poison', 'poison 2', 'after the poison'];
    const [before, poison, after] = whats.map((what) => event(happened.name, { what }));
    const handled = ['before', 'after'].map((what) =>
      once(system.signals, `enrolment ${what} the poison`),
    );
    system.probe.remainingFailures.set('enrolment poison 2', Infinity);
    deliver(listOf(before, poison, after), 2);
    const message = await take(broker.topology.retryQueue('enrolment', retryDelaysMs[2] ?? 0));
    expect(message.content).toEqual(poison);
    await Promise.all(handled);
    for (const what of ['before', 'after']) {
      expect(await system.effects(system.enrolment, `${what} the poison`)).toHaveLength(1);
    }
  });

  it('the events of a message that the broker dead-lettered are parked one by one', async () => {
    const lost = ['one', 'two'].map((what) => event(happened.name, { what: `lost ${what}` }));
    deadLetter(listOf(...lost));
    for (const content of lost) await replay((await parkedAs(content)).id);
    for (const what of ['one', 'two']) {
      expect(await system.effects(system.enrolment, `lost ${what}`)).toHaveLength(1);
    }
  });

  it('events that are published together are sent in few messages, and long ones alone', async () => {
    const { channel, topology } = broker;
    const { queue } = await channel.assertQueue('', { exclusive: true });
    const key = topology.eventKey(counted.name, 'enrolment');
    await channel.bindQueue(queue, topology.events, key);
    const long = 'x'.repeat(40_000);
    const short = Array.from({ length: 90 }, (_event, index) => ({ what: `sent ${index}` }));
    const outbox = system.catalog.get(Outbox);
    const payloads = [...short, { what: long }, { what: `${long}y` }];
    await system.catalog.get(Database).transaction(() => outbox.publishAll(counted, payloads));
    const messages = [await take(queue), await take(queue)];
    const sent = messages.flatMap(({ content }) => JSON.parse(content.toString()) as unknown);
    expect(sent).toMatchObject(payloads.map((payload) => ({ payload })));
    const last = messages.at(-1)?.content.toString() ?? '';
    expect(JSON.parse(last)).toMatchObject({ payload: { what: `${long}y` } });
  });

  it('poison messages do not delay other events', async () => {
    for (let copy = 0; copy < 100; copy += 1) deliver(Buffer.from('noise'));
    await system.publish('wholesome');
    expect(await system.effects(system.enrolment, 'wholesome')).toHaveLength(1);
  });
});
