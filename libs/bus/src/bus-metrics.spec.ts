import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '@registrar/platform';
import { eventually, parseMetrics } from '@registrar/testing';
import { Registry } from 'prom-client';
import {
  catalogHandlers,
  greet,
  happened,
  refuse,
  subscriberHandlers,
  wait,
} from './bus-apps.fixture.ts';
import {
  type BusSystem,
  failureOf,
  longTimeMs,
  startBusSystem,
  within,
} from './bus-system.fixture.ts';
import { BusClient } from './bus-client.ts';
import { capacity } from './requests.fixture.ts';
import { inProcessTransport } from './in-process/in-process-transport.ts';
import type { TestBusApp } from './testing/start-bus-app.ts';

const scrapeMetrics = async (app: TestBusApp) => parseMetrics(await app.get(Registry).metrics());

describe('the metrics of the bus', () => {
  let system: BusSystem;
  let caller: TestBusApp;
  let callee: TestBusApp;

  beforeAll(async () => {
    system = await startBusSystem(inProcessTransport());
    const { catalog, enrolment, start, stop, probe } = system;
    await stop(catalog);
    await stop(enrolment);
    callee = await start('catalog', [catalogHandlers(probe)]);
    caller = await start('enrolment', [subscriberHandlers(probe, 'enrolment')]);
  });
  afterAll(() => system.stopAll());

  it('the metrics of the bus count sent requests by outcome', async () => {
    const bus = caller.get(BusClient);
    await bus.request(greet, { name: 'Ada' });
    await bus.request(greet, { name: 'Bob' });
    await failureOf(bus.request(refuse, {}));
    await failureOf(within(50, () => bus.request(wait, { until: 'never' })));
    const { value } = await scrapeMetrics(caller);
    const sent = (outcome: string) =>
      value('registrar_bus_requests_total', { app: 'enrolment', destination: 'catalog', outcome });
    expect(sent('done')).toBe(2);
    expect(sent('refused-by-provider')).toBe(1);
    expect(sent('expired')).toBe(1);
    system.signals.emit('never');
  });

  it('the metrics of the bus time handlers and the wait of requests for them', async () => {
    const { value } = await scrapeMetrics(callee);
    const labels = { app: 'catalog', request: 'catalog.greet' };
    expect(value('registrar_bus_queue_seconds_count', labels)).toBe(2);
    expect(value('registrar_bus_handler_seconds_count', labels)).toBe(2);
    expect(value('registrar_bus_handler_seconds_sum', labels)).toBeGreaterThan(0);
  });

  it('the metrics of the bus count requests rejected as expired or overloaded', async () => {
    const rejected = async (reason: string) => {
      const { value } = await scrapeMetrics(callee);
      return value('registrar_bus_refused_total', { reason }) ?? 0;
    };
    const bus = caller.get(BusClient);
    await failureOf(within(-1, () => bus.request(greet, { name: 'late' })));
    expect(await rejected('expired')).toBe(1);
    const flood = Array.from({ length: capacity }, () =>
      within(longTimeMs, () => bus.request(wait, { until: 'never' })),
    );
    const outcomes = Promise.allSettled(flood);
    const excess = within(longTimeMs, () => bus.request(greet, { name: 'Ada' }));
    expect(await failureOf(excess)).toMatchObject({ code: 'overloaded' });
    expect(await rejected('overloaded')).toBe(1);
    clock.step(longTimeMs);
    await outcomes;
  });

  it('the metrics of the bus count arrivals of events as handled, duplicate or failed', async () => {
    const { probe, publish } = system;
    probe.remainingFailures.set('identity uneven', 1);
    await publish('uneven', callee);
    const arrived = async (outcome: string) => {
      const { value } = await scrapeMetrics(caller);
      return value('registrar_bus_events_total', { event: happened.name, outcome });
    };
    // The other subscriber failed, so both received the event again.
    expect(await arrived('handled')).toBe(1);
    expect(await eventually('the duplicate is counted', () => arrived('duplicate'))).toBe(1);
    probe.remainingFailures.set('enrolment stubborn', 1);
    await publish('stubborn', callee);
    expect(await arrived('failed')).toBe(1);
  });

  it('the metrics of the bus show the number and age of the events in the outbox', async () => {
    const { stop, publishFrom } = system;
    const emptied = async () => {
      const { value } = await scrapeMetrics(callee);
      return value('registrar_outbox_events', { state: 'waiting' }) === 0;
    };
    expect(await eventually('the outbox is empty', emptied)).toBe(true);
    expect((await scrapeMetrics(callee)).value('registrar_outbox_oldest_seconds')).toBe(0);
    await stop(caller);
    await publishFrom(callee, 'to nobody');
    const { value } = await scrapeMetrics(callee);
    expect(value('registrar_outbox_events', { state: 'waiting' })).toBe(1);
    expect(value('registrar_outbox_events', { state: 'parked' })).toBe(0);
    expect(value('registrar_outbox_oldest_seconds')).toBeGreaterThan(0);
  });

  it('the metrics of the bus show the connections to the database', async () => {
    const { value } = await scrapeMetrics(callee);
    const connections = (state: string) => value('registrar_database_connections', { state });
    expect((connections('busy') ?? 0) + (connections('idle') ?? 0)).toBeGreaterThan(0);
    expect(connections('waiting')).toBe(0);
  });
});
