import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTcpProxy, type TcpProxy } from '#libs/testing';
import { once } from 'node:events';
import { confided, greet, subscriberHandlers, wait } from '../bus-apps.fixture.ts';
import { type BusSystem, failureOf, startBusSystem, until } from '../bus-system.fixture.ts';
import { BusConnection } from '../bus-module.ts';
import type { BusApp } from '../start-app.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';

describeWithBroker('the bus over RabbitMQ', (url) => {
  let broker: TestBroker;
  let way: TcpProxy;
  let system: BusSystem;

  beforeAll(async () => {
    broker = await openTestBroker(url);
    way = await startTcpProxy(url);
    system = await startBusSystem(broker.transport(way.url));
  });
  afterAll(async () => {
    await system.stopAll();
    await way.close();
    await broker.close();
  });

  const reconnected = (app: BusApp) =>
    new Promise<void>((resolve) => app.get(BusConnection).onReconnect(resolve));
  /** Breaks the way of every app to the broker, does something, and mends the way. */
  const interrupted = async (meanwhile: () => Promise<void>) => {
    const { catalog, enrolment, gateway } = system;
    const again = Promise.all([catalog, enrolment, gateway].map(reconnected));
    way.cut();
    await meanwhile().finally(() => way.restore());
    await again;
  };

  describe('while the broker is away', () => {
    it('fails what was under way and what is asked, at once', async () => {
      const { bus, told } = system;
      const waiting = once(told, 'waiting never');
      const pending = failureOf(bus.request(wait, { until: 'never' }));
      await waiting;
      await interrupted(async () => {
        expect(await pending).toMatchObject({ code: 'unavailable', retriable: true });
        expect(await failureOf(bus.request(greet, { name: 'Ada' }))).toMatchObject({
          code: 'unavailable',
          retriable: true,
        });
      });
      told.emit('never');
      expect(await bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
    });

    it('keeps events, which arrive when it is back', async () => {
      const { catalog, enrolment, handled, publish, publishFrom, effects, told } = system;
      const arrived = handled('in the dark');
      await interrupted(() => publishFrom(catalog, 'in the dark'));
      await arrived;
      expect(await effects(enrolment, 'in the dark')).toHaveLength(1);
      const heard = once(told, 'heard in the light');
      await publish('in the light');
      await heard;
    });

    it('stops when told to', async () => {
      const { start, stop, stage } = system;
      const crawler = await start('crawler', [subscriberHandlers(stage, 'crawler')]);
      await interrupted(() => stop(crawler));
    });
  });

  it('survives that its consumers are cancelled, as when their queues are deleted', async () => {
    const { bus, catalog, enrolment, publish, log } = system;
    const again = Promise.all([catalog, enrolment].map(reconnected));
    await broker.channel.deleteQueue(broker.topology.requestQueue('catalog'));
    await broker.channel.deleteQueue(broker.topology.eventQueue('enrolment'));
    await again;
    expect(await bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
    await publish('after the cancel');
    expect(JSON.stringify(log.lines())).toContain('was cancelled');
  });

  it('pauses its events while their database is away, and counts no failures', async () => {
    const { server, stage, start, stop, publishFrom, catalog, told, log } = system;
    const database = await startTcpProxy(server.url);
    const crawler = await start('crawler', [subscriberHandlers(stage, 'crawler')], {
      databaseUrl: database.url,
    });
    database.cut();
    const handled = once(told, 'crawler patience');
    await publishFrom(catalog, 'patience', confided);
    await until(() => log.lines().some(({ msg }) => msg === 'events wait: the database is away'));
    database.restore();
    await handled;
    expect(log.lines().map(({ msg }) => msg)).not.toContain('an event comes again later');
    await stop(crawler);
    await database.close();
  });
});
