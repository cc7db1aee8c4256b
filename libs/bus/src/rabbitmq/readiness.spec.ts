import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTcpProxy, type TcpProxy } from '#libs/testing';
import { once } from 'node:events';
import { catalogHandlers, wait } from '../bus-apps.fixture.ts';
import { type BusSystem, startBusSystem, until } from '../bus-system.fixture.ts';
import type { BusApp } from '../start-app.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';

describeWithBroker('the health of an app over RabbitMQ', (url) => {
  let broker: TestBroker;
  let system: BusSystem;
  let wayToBroker: TcpProxy;
  let wayToDatabase: TcpProxy;
  let app: BusApp;

  beforeAll(async () => {
    broker = await openTestBroker(url);
    system = await startBusSystem(broker.transport());
    wayToBroker = await startTcpProxy(url);
    wayToDatabase = await startTcpProxy(system.server.url);
    await system.stop(system.catalog);
    app = await system.start('catalog', [catalogHandlers(system.stage)], {
      transport: broker.transport(wayToBroker.url),
      databaseUrl: wayToDatabase.url,
      managementPort: 0,
    });
  });
  afterAll(async () => {
    await system.stopAll();
    await wayToBroker.close();
    await wayToDatabase.close();
    await broker.close();
  });

  const faults = async () => {
    const response = await fetch(`${app.managementUrl}/health/ready`);
    const told = (await response.json()) as { faults: string[] };
    expect(response.status).toBe(told.faults.length === 0 ? 200 : 503);
    return told.faults;
  };
  const faultsAre = (...expected: string[]) =>
    until(async () => JSON.stringify(await faults()) === JSON.stringify(expected));
  const isAlive = async () => (await fetch(`${app.managementUrl}/health/live`)).ok;

  it('turns with the broker', async () => {
    await faultsAre();
    wayToBroker.cut();
    await faultsAre('the broker takes no messages');
    expect(await isAlive()).toBe(true);
    wayToBroker.restore();
    await faultsAre();
  });

  it('turns with the database', async () => {
    wayToDatabase.cut();
    await faultsAre('the database does not answer');
    expect(await isAlive()).toBe(true);
    wayToDatabase.restore();
    await faultsAre();
  });

  it('turns first when the app stops', async () => {
    const { bus, told, stop } = system;
    const isWaiting = once(told, 'waiting health');
    const running = bus.request(wait, { until: 'health' });
    await isWaiting;
    const stopped = stop(app);
    expect(await faults()).toEqual(['it stops']);
    expect(await isAlive()).toBe(true);
    told.emit('health');
    expect(await running).toEqual({ released: true });
    await stopped;
    await expect(isAlive()).rejects.toThrow();
  });
});
