import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  eventually,
  DedicatedBroker,
  findBrokerInstallation,
  testLogger,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { once } from 'node:events';
import { greet, wait } from '../bus-apps.fixture.ts';
import { type BusSystem, failureOf, startBusSystem, within } from '../bus-system.fixture.ts';
import { rabbitMqTransport } from './rabbitmq-transport.ts';

describeWith(findBrokerInstallation(), 'the bus over a blocked RabbitMQ', () => {
  let broker: DedicatedBroker;
  let system: BusSystem;

  beforeAll(async () => {
    broker = await DedicatedBroker.start();
    const { logger } = testLogger('bus');
    system = await startBusSystem(
      rabbitMqTransport({ url: broker.url, namespace: 'blocked', logger, accounts: 'shared' }),
    );
  });
  afterAll(async () => {
    await system?.stopAll();
    await broker?.dispose();
  });

  it('fails pending and new requests as unavailable, and delivers events after the alarm', async () => {
    const { bus, signals, catalog, enrolment, publishFrom, effects, handled } = system;
    const unavailable = { code: 'unavailable', retriable: true };
    const waiting = once(signals, 'waiting for memory');
    // On a busy machine the alarm takes seconds.
    const underWay = failureOf(within(50_000, () => bus.request(wait, { until: 'for memory' })));
    await waiting;
    await broker.raiseMemoryAlarm();
    // The broker blocks a connection only when it publishes.
    expect(await failureOf(bus.request(greet, { name: 'Ada' }))).toMatchObject(unavailable);
    expect(await underWay).toMatchObject(unavailable);
    expect(await failureOf(bus.request(greet, { name: 'Bob' }))).toMatchObject(unavailable);
    const arrived = handled('in need');
    await publishFrom(catalog, 'in need');
    await broker.endMemoryAlarm();
    await arrived;
    expect(await effects(enrolment, 'in need')).toHaveLength(1);
    signals.emit('for memory');
    // The broker unblocks each connection separately.
    const greeted = await eventually('requests succeed', () => bus.request(greet, { name: 'Eve' }));
    expect(greeted).toMatchObject({ text: 'Hello Eve' });
  });
});
