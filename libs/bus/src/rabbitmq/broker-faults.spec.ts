import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startTcpProxy, type TcpProxy } from '@registrar/testing';
import { once } from 'node:events';
import { confided, greet, subscriberHandlers, wait } from '../bus-apps.fixture.ts';
import { type BusSystem, failureOf, startBusSystem } from '../bus-system.fixture.ts';
import { BusConnection } from '../bus.module.ts';
import type { TestBusApp } from '../testing/start-bus-app.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';

describeWithBroker('the bus over RabbitMQ', (url) => {
  let broker: TestBroker;
  let proxy: TcpProxy;
  let system: BusSystem;

  beforeAll(async () => {
    broker = await openTestBroker(url);
    proxy = await startTcpProxy(url);
    system = await startBusSystem(broker.transport(proxy.url));
  });
  afterAll(async () => {
    await system.stopAll();
    await proxy.close();
    await broker.close();
  });

  const reconnected = (app: TestBusApp) =>
    new Promise<void>((resolve) => app.get(BusConnection).onReconnect(resolve));
  /** Runs `work` while no app is connected to the broker; resolves when all have reconnected. */
  const whileDisconnected = async (work: () => Promise<void>) => {
    const { catalog, enrolment, gateway } = system;
    const again = Promise.all([catalog, enrolment, gateway].map(reconnected));
    proxy.cut();
    await work().finally(() => proxy.restore());
    await again;
  };

  describe('while RabbitMQ is unreachable', () => {
    it('fails pending and new requests as unavailable at once', async () => {
      const { bus, signals } = system;
      const waiting = once(signals, 'waiting never');
      const pending = failureOf(bus.request(wait, { until: 'never' }));
      await waiting;
      await whileDisconnected(async () => {
        expect(await pending).toMatchObject({ code: 'unavailable', retriable: true });
        expect(await failureOf(bus.request(greet, { name: 'Ada' }))).toMatchObject({
          code: 'unavailable',
          retriable: true,
        });
      });
      signals.emit('never');
      expect(await bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
    });

    it('keeps events in the outbox and delivers them after the reconnect', async () => {
      const { catalog, enrolment, handled, publish, publishFrom, effects, signals } = system;
      const arrived = handled('while disconnected');
      await whileDisconnected(() => publishFrom(catalog, 'while disconnected'));
      await arrived;
      expect(await effects(enrolment, 'while disconnected')).toHaveLength(1);
      const heard = once(signals, 'heard while connected');
      await publish('while connected');
      await heard;
    });

    it('lets an app stop', async () => {
      const { start, stop, probe } = system;
      const crawler = await start('crawler', [subscriberHandlers(probe, 'crawler')]);
      await whileDisconnected(() => stop(crawler));
    });
  });

  it('declares queues again that were deleted', async () => {
    const { bus, catalog, enrolment, publish, log } = system;
    const again = Promise.all([catalog, enrolment].map(reconnected));
    await broker.channel.deleteQueue(broker.topology.requestQueue('catalog'));
    await broker.channel.deleteQueue(broker.topology.eventQueue('enrolment'));
    await again;
    expect(await bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
    await publish('after the cancel');
    expect(JSON.stringify(log.lines())).toContain('was cancelled');
  });

  it('pauses events while the database is unavailable, without counting attempts', async () => {
    const { server, probe, start, stop, publishFrom, catalog, signals, log } = system;
    const database = await startTcpProxy(server.url);
    const before = log.lines().length;
    const crawler = await start('crawler', [subscriberHandlers(probe, 'crawler')], {
      databaseUrl: database.url,
    });
    database.cut();
    const handled = once(signals, 'crawler paused');
    await publishFrom(catalog, 'paused', confided);
    const message = 'events are not handled: the database is unavailable';
    await eventually('the consumer waits', () => log.lines().some(({ msg }) => msg === message));
    database.restore();
    await handled;
    const messages = log
      .lines()
      .slice(before)
      .map(({ msg }) => msg);
    expect(messages).not.toContain('an event will be retried');
    await stop(crawler);
    await database.close();
  });
});
