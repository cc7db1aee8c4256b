import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTcpProxy } from '@registrar/testing';
import { once } from 'node:events';
import { catalogHandlers, greet, TestProbe, wait, waitAndChange } from '../bus-apps.fixture.ts';
import { type BusSystem, startBusSystem } from '../bus-system.fixture.ts';
import type { TestBusApp } from '../testing/start-bus-app.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';

describeWithBroker('two replicas over RabbitMQ', (url) => {
  let broker: TestBroker;
  let system: BusSystem;
  /** The signals of each replica. */
  let first: TestProbe;
  let second: TestProbe;
  /** Starts the second replica. */
  const startSecond = () =>
    system.start('catalog', [catalogHandlers(second)], { transport: broker.transport() });

  beforeAll(async () => {
    broker = await openTestBroker(url);
    system = await startBusSystem(broker.transport());
    await system.stop(system.catalog);
  });
  beforeEach(() => {
    first = new TestProbe();
    second = new TestProbe();
  });
  afterAll(async () => {
    await system.stopAll();
    await broker.close();
  });

  it('a replica handles the requests of one that lost its connection; a change takes effect once', async () => {
    const { bus, start, stop } = system;
    const proxy = await startTcpProxy(url);
    const lost = await start('catalog', [catalogHandlers(first)], {
      transport: broker.transport(proxy.url),
    });
    const begun = [
      once(first.signals, 'waiting an answer'),
      once(first.signals, 'waiting a change'),
    ];
    const question = bus.request(wait, { until: 'an answer' });
    const change = bus.request(waitAndChange, { until: 'a change' });
    await Promise.all(begun);
    const replica = await startSecond();
    const changesAgain = once(second.signals, 'waiting a change').then(() => 'it was done twice');
    const repeated = once(second.signals, 'waiting an answer');
    proxy.cut();
    await repeated;
    second.signals.emit('an answer');
    expect(await question).toEqual({ released: true });
    // The first replica still makes the change, and its stored outcome serves both.
    first.signals.emit('a change');
    expect(await Promise.race([change, changesAgain])).toEqual({ released: true });
    first.signals.emit('an answer');
    await stop(lost);
    await stop(replica);
    await proxy.close();
  });

  it('a replica makes the change of one that lost its connection and its database', async () => {
    const { bus, start, stop, server } = system;
    const [proxy, databaseProxy] = [await startTcpProxy(url), await startTcpProxy(server.url)];
    const lost = await start('catalog', [catalogHandlers(first)], {
      transport: broker.transport(proxy.url),
      databaseUrl: databaseProxy.url,
    });
    const begun = once(first.signals, 'waiting a change');
    const change = bus.request(waitAndChange, { until: 'a change' });
    await begun;
    const replica = await startSecond();
    const repeated = once(second.signals, 'waiting a change');
    databaseProxy.cut();
    proxy.cut();
    await repeated;
    second.signals.emit('a change');
    expect(await change).toEqual({ released: true });
    first.signals.emit('a change');
    databaseProxy.restore();
    await stop(lost);
    await stop(replica);
    await Promise.all([proxy.close(), databaseProxy.close()]);
  });

  it('a replica takes over the unstarted requests of one that stops', async () => {
    const { bus, start, stop } = system;
    const stopping: TestBusApp = await start('catalog', [catalogHandlers(first)]);
    const begun = once(first.signals, 'waiting the last');
    const running = Array.from({ length: 64 }, (_request, index) =>
      bus.request(wait, { until: index === 63 ? 'the last' : 'the others' }),
    );
    await begun;
    const waiting = Array.from({ length: 20 }, (_request, index) =>
      bus.request(greet, { name: String(index) }),
    );
    // A replica with free slots replies at once, so these requests wait in the stopping replica.
    const replica = await startSecond();
    const stopped = stop(stopping);
    const greeted = await Promise.all(waiting);
    expect(greeted.map((reply) => reply.text)).toContain('Hello 19');
    first.signals.emit('the others');
    first.signals.emit('the last');
    expect(await Promise.all(running)).toEqual(Array(64).fill({ released: true }));
    await stopped;
    await stop(replica);
  });
});
