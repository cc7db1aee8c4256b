import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parkedEvents, type ParkedSummary } from '#libs/contracts';
import { randomUUID } from 'node:crypto';
import { happened } from '../bus-apps.fixture.ts';
import { type BusSystem, startBusSystem, until } from '../bus-system.fixture.ts';
import { retryDelays } from '../retry-ladder.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';
import { attemptsHeader } from './event-publisher.ts';

const parked = parkedEvents.enrolment;

describeWithBroker('an event over RabbitMQ that cannot be handled', (url) => {
  let broker: TestBroker;
  let system: BusSystem;

  beforeAll(async () => {
    broker = await openTestBroker(url);
    system = await startBusSystem(broker.transport());
    for (let attempts = 0; attempts <= retryDelays.length; attempts += 1) {
      system.stage.stubborn.set(`enrolment poison ${attempts}`, Infinity);
    }
  });
  afterAll(async () => {
    await system.stopAll();
    await broker.close();
  });

  const event = (name: string, payload: unknown) =>
    Buffer.from(JSON.stringify({ messageId: randomUUID(), name, payload, requestId: 'suite' }));
  /** Puts a message before enrolment as one that has failed so often. */
  const deliver = (content: Buffer, attempts = 0) =>
    broker.channel.sendToQueue(broker.topology.eventQueue('enrolment'), content, {
      headers: { [attemptsHeader]: attempts },
    });
  const taken = (queue: string) => until(() => broker.channel.get(queue, { noAck: true }));
  const listed = async () => {
    const items: ParkedSummary[] = [];
    for await (const page of system.bus.pages(parked.list, {}, 2)) items.push(...page);
    return items;
  };
  /** What the operator is shown of the message, once it is parked. */
  const parkedAs = (content: Buffer) =>
    until(async () => {
      for (const { id } of await listed()) {
        const shown = await system.bus.request(parked.inspect, { id });
        if (Buffer.from(shown.message, shown.encoding).equals(content)) return shown;
      }
      return null;
    });
  const replay = (id: string) => system.bus.request(parked.replay, { id });

  it('climbs the ladder step by step', async () => {
    // The first step is short enough to be climbed: the event comes to the second by itself.
    for (const attempts of [0, 2, 3]) {
      const poison = event(happened.name, { what: `poison ${attempts}` });
      deliver(poison, attempts);
      const step = Math.max(attempts, 1);
      const queue = broker.topology.retryQueue('enrolment', retryDelays[step] ?? 0);
      const message = await taken(queue);
      expect(message.content).toEqual(poison);
      expect(message.properties.headers).toMatchObject({ [attemptsHeader]: step + 1 });
    }
  });

  it('is parked at its end with the reason, and with no effect', async () => {
    const poison = event(happened.name, { what: 'poison 4' });
    deliver(poison, retryDelays.length);
    expect(await parkedAs(poison)).toMatchObject({
      context: 'enrolment',
      event: happened.name,
      attempts: retryDelays.length + 1,
      reason: 'not yet',
      encoding: 'utf8',
    });
    expect(await system.effects(system.enrolment, 'poison 4')).toHaveLength(0);
  });

  it.each([
    ['of an unknown kind', event('catalog.unknown', {}), 'no handler for catalog.unknown'],
    ['from a newer version', event(happened.name, { whatever: 42 }), 'malformed catalog.happened'],
    ['named as nobody can store it', event('catalog.\0', {}), 'no handler for catalog.'],
  ])(
    'is parked when it is %s, as newer replicas had their chance',
    async (_what, content, reason) => {
      deliver(content, retryDelays.length);
      const { id, reason: told } = await parkedAs(content);
      expect(told).toContain(reason);
      await expect(replay(id)).rejects.toMatchObject({ code: 'invalid' });
      expect(await parkedAs(content)).toMatchObject({ id });
    },
  );

  it('is parked at once when it is no event at all, and can only be dropped', async () => {
    const noise = Buffer.from([0xff, 0x00, 0x7b, 0x22]);
    deliver(noise);
    const { id, event, encoding } = await parkedAs(noise);
    expect({ event, encoding }).toEqual({ event: null, encoding: 'base64' });
    await expect(replay(id)).rejects.toMatchObject({ code: 'invalid' });
    await system.bus.request(parked.drop, { id });
    expect((await listed()).map((each) => each.id)).not.toContain(id);
    await expect(system.bus.request(parked.drop, { id })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('is parked when the broker gives it up', async () => {
    const lost = event(happened.name, { what: 'given up' });
    broker.channel.sendToQueue(broker.topology.parkingQueue('enrolment'), lost);
    const { id, reason } = await parkedAs(lost);
    expect(reason).toBe('the broker gave it up');
    await replay(id);
    expect(await system.effects(system.enrolment, 'given up')).toHaveLength(1);
  });

  it('is handled once, and by its own context alone, when it is replayed', async () => {
    const { stage, effects, enrolment } = system;
    stage.stubborn.set('enrolment cured', Infinity);
    const content = event(happened.name, { what: 'cured' });
    deliver(content, retryDelays.length);
    const { id } = await parkedAs(content);
    await expect(replay(id)).rejects.toMatchObject({ message: 'not yet' });
    stage.stubborn.clear();
    const outcomes = await Promise.allSettled([replay(id), replay(id)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await effects(enrolment, 'cured')).toHaveLength(1);
    // Parked again, as by another delivery: the inbox knows it.
    broker.channel.sendToQueue(broker.topology.parkingQueue('enrolment'), content);
    await replay((await parkedAs(content)).id);
    expect(await effects(enrolment, 'cured')).toHaveLength(1);
  });

  it('holds up no others', async () => {
    for (let copy = 0; copy < 100; copy += 1) deliver(Buffer.from('noise'));
    await system.publish('wholesome');
    expect(await system.effects(system.enrolment, 'wholesome')).toHaveLength(1);
  });
});
