import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canStartBroker, OwnBroker, testLogger } from '#libs/testing';
import { once } from 'node:events';
import { greet, wait } from '../bus-apps.fixture.ts';
import { type BusSystem, failureOf, startBusSystem, until, within } from '../bus-system.fixture.ts';
import { rabbitMqTransport } from './rabbitmq-transport.ts';

const installed = canStartBroker();

describe('the bus over a RabbitMQ that takes no messages', () => {
  if (!installed) {
    it('is left out where no RabbitMQ is installed', () => expect(installed).toBe(false));
    return;
  }
  let broker: OwnBroker;
  let system: BusSystem;

  beforeAll(async () => {
    broker = await OwnBroker.start();
    const { logger } = testLogger('bus');
    system = await startBusSystem(
      rabbitMqTransport({ url: broker.url, namespace: 'blocked', logger }),
    );
  }, 90_000);
  afterAll(async () => {
    await system?.stopAll();
    await broker?.dispose();
  }, 60_000);

  it('fails what is under way and what is asked, and goes on with both when it may', async () => {
    const { bus, told, catalog, enrolment, publishFrom, effects, handled } = system;
    const unavailable = { code: 'unavailable', retriable: true };
    const waiting = once(told, 'waiting for memory');
    // The alarm takes its time, on a busy machine.
    const underWay = failureOf(within(50_000, () => bus.request(wait, { until: 'for memory' })));
    await waiting;
    await broker.raiseMemoryAlarm();
    // The broker says so to those who send something.
    expect(await failureOf(bus.request(greet, { name: 'Ada' }))).toMatchObject(unavailable);
    expect(await underWay).toMatchObject(unavailable);
    expect(await failureOf(bus.request(greet, { name: 'Bob' }))).toMatchObject(unavailable);
    const arrived = handled('in need');
    await publishFrom(catalog, 'in need');
    await broker.endMemoryAlarm();
    await arrived;
    expect(await effects(enrolment, 'in need')).toHaveLength(1);
    told.emit('for memory');
    // Each app is told by itself that the broker takes messages again.
    const greeted = await until(() => bus.request(greet, { name: 'Eve' }).catch(() => null));
    expect(greeted).toMatchObject({ text: 'Hello Eve' });
  }, 60_000);
});
