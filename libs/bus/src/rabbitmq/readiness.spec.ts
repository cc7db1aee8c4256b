import { afterAll, beforeAll, it } from 'vitest';
import { Database } from '@registrar/persistence';
import { eventually, startTcpProxy, type TcpProxy } from '@registrar/testing';
import { catalogHandlers } from '../bus-apps.fixture.ts';
import { type BusSystem, startBusSystem } from '../bus-system.fixture.ts';
import { Readiness } from '../readiness.ts';
import type { TestBusApp } from '../testing/start-bus-app.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';

describeWithBroker('readiness over RabbitMQ', (url) => {
  let broker: TestBroker;
  let system: BusSystem;
  let brokerProxy: TcpProxy;
  let databaseProxy: TcpProxy;
  let app: TestBusApp;

  beforeAll(async () => {
    broker = await openTestBroker(url);
    system = await startBusSystem(broker.transport());
    brokerProxy = await startTcpProxy(url);
    databaseProxy = await startTcpProxy(system.server.url);
    await system.stop(system.catalog);
    app = await system.start('catalog', [catalogHandlers(system.probe)], {
      transport: broker.transport(brokerProxy.url),
      databaseUrl: databaseProxy.url,
    });
  });
  afterAll(async () => {
    await system.stopAll();
    await brokerProxy.close();
    await databaseProxy.close();
    await broker.close();
  });

  const faultsAre = (...expected: string[]) =>
    eventually(
      `the faults are [${expected.join()}]`,
      async () => JSON.stringify(await app.get(Readiness).faults()) === JSON.stringify(expected),
    );

  it('reports an unreachable broker until it is reachable again', async () => {
    await faultsAre();
    brokerProxy.cut();
    await faultsAre('RabbitMQ is unreachable or blocks publishers');
    brokerProxy.restore();
    await faultsAre();
  });

  it('reports an unreachable database until it is reachable again', async () => {
    databaseProxy.cut();
    await faultsAre('the database does not answer');
    databaseProxy.restore();
    await faultsAre();
  });

  it('reports busy connections as something other than an unreachable database', async () => {
    const database = app.get(Database);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const transactions = Array.from({ length: 10 }, () => database.transaction(() => released));
    await faultsAre('all 10 connections to the database are busy; the database itself answers');
    release();
    await Promise.all(transactions);
    await faultsAre();
  });
});
