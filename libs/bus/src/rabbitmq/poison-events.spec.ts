import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { happened } from '../bus-apps.fixture.ts';
import { type BusSystem, startBusSystem, until } from '../bus-system.fixture.ts';
import { retryDelays } from '../retry-ladder.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';
import { attemptsHeader, reasonHeader } from './event-publisher.ts';

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
  const parked = async () => {
    const message = await taken(broker.topology.parkingQueue('enrolment'));
    return { content: message.content, headers: message.properties.headers };
  };

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
    expect(await parked()).toMatchObject({
      content: poison,
      headers: { [attemptsHeader]: retryDelays.length + 1, [reasonHeader]: 'not yet' },
    });
    expect(await system.effects(system.enrolment, 'poison 4')).toHaveLength(0);
  });

  it.each([
    ['of an unknown kind', event('catalog.unknown', {}), 'no handler for catalog.unknown'],
    ['with a malformed payload', event(happened.name, { what: 42 }), 'malformed catalog.happened'],
  ])(
    'is parked when it is %s, as newer replicas had their chance',
    async (_what, content, reason) => {
      deliver(content, retryDelays.length);
      const message = await parked();
      expect(message.content).toEqual(content);
      expect(message.headers?.[reasonHeader]).toContain(reason);
    },
  );

  it('is parked at once when it is no event at all', async () => {
    const noise = Buffer.from([0xff, 0x00, 0x7b, 0x22]);
    deliver(noise);
    const message = await parked();
    expect(message.content).toEqual(noise);
    expect(message.headers?.[reasonHeader]).toContain('malformed');
  });

  it('holds up no others', async () => {
    for (let copy = 0; copy < 100; copy += 1) deliver(Buffer.from('noise'));
    await system.publish('wholesome');
    expect(await system.effects(system.enrolment, 'wholesome')).toHaveLength(1);
  });
});
