import { clock } from '@registrar/platform';
import { eventually, findPrometheus, Prometheus } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gauge, Histogram, Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queries, readPrometheus } from './prometheus.ts';

const hour = { stepSeconds: 60, steps: 60 };

it('the history is of metrics that docs/operations.md describes', () => {
  const manual = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const names = Object.values(queries).flatMap(
    (query) => query('1s').match(/registrar_\w+/g) ?? [],
  );
  for (const name of names) {
    expect(manual).toContain(`| \`${name.replace(/(?<=seconds)_(count|bucket)$/, '')}\` |`);
  }
});

describeWith(findPrometheus(), 'the history of a Prometheus', () => {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'registrar_http_request_seconds',
    help: 'Requests.',
    labelNames: ['fault'],
    buckets: [0.1, 1],
    registers,
  });
  let exporter: Server;
  let prometheus: Prometheus;
  let scrapes = 0;

  beforeAll(async () => {
    const gauge = (name: string, labelNames: string[] = []) =>
      new Gauge({ name, help: name, labelNames, registers });
    const events = gauge('registrar_outbox_events', ['app', 'state']);
    for (const app of ['catalog', 'enrolment']) {
      events.set({ app, state: 'waiting' }, 3);
      events.set({ app, state: 'parked' }, 1);
    }
    gauge('registrar_parked_events', ['app']).set({ app: 'enrolment' }, 4);
    gauge('registrar_outbox_oldest_seconds', ['app']).set({ app: 'enrolment' }, 12);
    exporter = createServer((_request, response) => {
      scrapes += 1;
      for (let each = 0; each < 10; each += 1) requests.observe({ fault: 'none' }, 0.05);
      void registry.metrics().then((text) => response.end(text));
    }).listen(0, '127.0.0.1');
    await once(exporter, 'listening');
    const { port } = exporter.address() as AddressInfo;
    prometheus = await Prometheus.start([`http://127.0.0.1:${port}`], {}, { groups: [] }, 1);
    await eventually('Prometheus has scraped three times', async () => scrapes > 3);
  });
  afterAll(async () => {
    await prometheus?.dispose();
    exporter?.close();
  });

  it('the last sample has rates, a quantile, and the sums of all apps', async () => {
    // Samples are taken at whole minutes, the last of which may be before the first scrape.
    clock.step(60_000);
    const { samples, stepSeconds } = await readPrometheus(`${prometheus.url}/`, hour);
    clock.reset();
    expect(stepSeconds).toBe(60);
    expect(samples.at(-1)).toMatchObject({
      at: expect.stringMatching(/:00\.000Z$/),
      // As if there had been none before the first scrape.
      requestsPerSecond: expect.any(Number),
      failuresPerSecond: 0,
      p95Ms: expect.closeTo(95, 5),
      outboxWaiting: 6,
      outboxOldestSeconds: 12,
      parkedEvents: 6,
    });
    expect(samples.at(-1)?.requestsPerSecond).toBeGreaterThan(0);
    // Nothing is known of the time before.
    expect(samples.length).toBeLessThanOrEqual(2);
  });

  it('fails when there is no Prometheus', async () => {
    const { port } = exporter.address() as AddressInfo;
    await expect(readPrometheus(`http://127.0.0.1:${port}`, hour)).rejects.toThrow();
  });
});
