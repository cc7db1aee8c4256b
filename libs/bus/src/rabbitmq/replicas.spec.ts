import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startTcpProxy } from '#libs/testing';
import { once } from 'node:events';
import { catalogHandlers, greet, Stage, wait, waitAndChange } from '../bus-apps.fixture.ts';
import { type BusSystem, startBusSystem } from '../bus-system.fixture.ts';
import type { BusApp } from '../start-app.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';

describeWithBroker('two replicas over RabbitMQ', (url) => {
  let broker: TestBroker;
  let system: BusSystem;
  /** What the replicas say, apart from each other. */
  let first: Stage;
  let second: Stage;
  /** The replica that comes second. */
  const startSecond = () =>
    system.start('catalog', [catalogHandlers(second)], { transport: broker.transport() });

  beforeAll(async () => {
    broker = await openTestBroker(url);
    system = await startBusSystem(broker.transport());
    await system.stop(system.catalog);
  });
  beforeEach(() => {
    first = new Stage();
    second = new Stage();
  });
  afterAll(async () => {
    await system.stopAll();
    await broker.close();
  });

  it('answer what the other was asked when it was cut off, and do no change twice', async () => {
    const { bus, start, stop } = system;
    const way = await startTcpProxy(url);
    const lost = await start('catalog', [catalogHandlers(first)], {
      transport: broker.transport(way.url),
    });
    const begun = [once(first.told, 'waiting an answer'), once(first.told, 'waiting a change')];
    const question = bus.request(wait, { until: 'an answer' });
    const change = bus.request(waitAndChange, { until: 'a change' });
    await Promise.all(begun);
    const replica = await startSecond();
    const changesAgain = once(second.told, 'waiting a change').then(() => 'it was done twice');
    const repeated = once(second.told, 'waiting an answer');
    way.cut();
    await repeated;
    second.told.emit('an answer');
    expect(await question).toEqual({ released: true });
    // The other is still at work on it, and its outcome is kept for both.
    first.told.emit('a change');
    expect(await Promise.race([change, changesAgain])).toEqual({ released: true });
    first.told.emit('an answer');
    await stop(lost);
    await stop(replica);
    await way.close();
  });

  it('make a change that the other lost with its database', async () => {
    const { bus, start, stop, server } = system;
    const [way, wayToDatabase] = [await startTcpProxy(url), await startTcpProxy(server.url)];
    const lost = await start('catalog', [catalogHandlers(first)], {
      transport: broker.transport(way.url),
      databaseUrl: wayToDatabase.url,
    });
    const begun = once(first.told, 'waiting a change');
    const change = bus.request(waitAndChange, { until: 'a change' });
    await begun;
    const replica = await startSecond();
    const repeated = once(second.told, 'waiting a change');
    wayToDatabase.cut();
    way.cut();
    await repeated;
    second.told.emit('a change');
    expect(await change).toEqual({ released: true });
    first.told.emit('a change');
    wayToDatabase.restore();
    await stop(lost);
    await stop(replica);
    await Promise.all([way.close(), wayToDatabase.close()]);
  });

  it('take over what the other had not begun when it stopped', async () => {
    const { bus, start, stop } = system;
    const stopping: BusApp = await start('catalog', [catalogHandlers(first)]);
    const begun = once(first.told, 'waiting the last');
    const running = Array.from({ length: 64 }, (_request, index) =>
      bus.request(wait, { until: index === 63 ? 'the last' : 'the others' }),
    );
    await begun;
    const waiting = Array.from({ length: 20 }, (_request, index) =>
      bus.request(greet, { name: String(index) }),
    );
    // Answered at once where there is room: so the others are in the stopping replica's line.
    const replica = await startSecond();
    const stopped = stop(stopping);
    const greeted = await Promise.all(waiting);
    expect(greeted.map((reply) => reply.text)).toContain('Hello 19');
    first.told.emit('the others');
    first.told.emit('the last');
    expect(await Promise.all(running)).toEqual(Array(64).fill({ released: true }));
    await stopped;
    await stop(replica);
  });
});
