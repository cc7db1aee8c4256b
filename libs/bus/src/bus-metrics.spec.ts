import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scrapeMetrics } from '#libs/testing';
import {
  catalogHandlers,
  greet,
  happened,
  refuse,
  subscriberHandlers,
  wait,
} from './bus-apps.fixture.ts';
import { type BusSystem, failureOf, startBusSystem, until, within } from './bus-system.fixture.ts';
import { BusClient } from './client.ts';
import { measure } from './requests.fixture.ts';
import { inProcessTransport } from './in-process/in-process-transport.ts';
import type { BusApp } from './start-app.ts';

describe('the metrics of an app on the bus', () => {
  let system: BusSystem;
  let asking: BusApp;
  let answering: BusApp;

  beforeAll(async () => {
    system = await startBusSystem(inProcessTransport());
    const { catalog, enrolment, start, stop, stage } = system;
    await stop(catalog);
    await stop(enrolment);
    const managementPort = 0;
    answering = await start('catalog', [catalogHandlers(stage)], { managementPort });
    asking = await start('enrolment', [subscriberHandlers(stage, 'enrolment')], { managementPort });
  });
  afterAll(() => system.stopAll());

  it('count what it asks, by outcome', async () => {
    const bus = asking.get(BusClient);
    await bus.request(greet, { name: 'Ada' });
    await bus.request(greet, { name: 'Bob' });
    await failureOf(bus.request(refuse, {}));
    await failureOf(within(50, () => bus.request(wait, { until: 'never' })));
    const { value } = await scrapeMetrics(asking);
    const asked = (outcome: string) =>
      value('registrar_bus_requests_total', { app: 'enrolment', destination: 'catalog', outcome });
    expect(asked('done')).toBe(2);
    expect(asked('refused-by-provider')).toBe(1);
    expect(asked('expired')).toBe(1);
    system.told.emit('never');
  });

  it('time what it answers, and how long that has waited', async () => {
    const { value } = await scrapeMetrics(answering);
    const labels = { app: 'catalog', request: 'catalog.greet' };
    expect(value('registrar_bus_queue_seconds_count', labels)).toBe(2);
    expect(value('registrar_bus_handler_seconds_count', labels)).toBe(2);
    expect(value('registrar_bus_handler_seconds_sum', labels)).toBeLessThan(10);
  });

  it('count what was not begun, because it came too late or too much was there', async () => {
    const refused = async (reason: string) => {
      const { value } = await scrapeMetrics(answering);
      return value('registrar_bus_refused_total', { reason }) ?? 0;
    };
    const bus = asking.get(BusClient);
    await failureOf(within(-1, () => bus.request(greet, { name: 'late' })));
    expect(await refused('expired')).toBe(1);
    const flood = Array.from({ length: measure }, () =>
      within(1_000, () => bus.request(wait, { until: 'never' })),
    );
    const outcomes = Promise.allSettled(flood);
    expect(await failureOf(bus.request(greet, { name: 'Ada' }))).toMatchObject({
      code: 'overloaded',
    });
    expect(await refused('overloaded')).toBe(1);
    await outcomes;
  });

  it('count the events that arrive, with those that failed or came again', async () => {
    const { stage, publish } = system;
    stage.stubborn.set('identity uneven', 1);
    await publish('uneven', answering);
    const arrived = async (outcome: string) => {
      const { value } = await scrapeMetrics(asking);
      return value('registrar_bus_events_total', { event: happened.name, outcome });
    };
    // Another subscriber had failed, so both got the event again.
    expect(await arrived('handled')).toBe(1);
    expect(await until(async () => (await arrived('duplicate')) ?? null)).toBe(1);
    stage.stubborn.set('enrolment stubborn', 1);
    await publish('stubborn', answering);
    expect(await arrived('failed')).toBe(1);
  });

  it('show what waits in its outbox, and for how long', async () => {
    const { stop, publishFrom } = system;
    const emptied = async () => {
      const { value } = await scrapeMetrics(answering);
      return value('registrar_outbox_events', { state: 'waiting' }) === 0;
    };
    expect(await until(emptied)).toBe(true);
    expect((await scrapeMetrics(answering)).value('registrar_outbox_oldest_seconds')).toBe(0);
    await stop(asking);
    await publishFrom(answering, 'to nobody');
    const { value } = await scrapeMetrics(answering);
    expect(value('registrar_outbox_events', { state: 'waiting' })).toBe(1);
    expect(value('registrar_outbox_events', { state: 'parked' })).toBe(0);
    expect(value('registrar_outbox_oldest_seconds')).toBeGreaterThan(0);
  });

  it('show its connections to the database', async () => {
    const { value } = await scrapeMetrics(answering);
    const connections = (state: string) => value('registrar_database_connections', { state });
    expect((connections('busy') ?? 0) + (connections('idle') ?? 0)).toBeGreaterThan(0);
    expect(connections('waiting')).toBe(0);
  });
});
