import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { Counter, Registry } from 'prom-client';
import { Health } from './health.ts';
import { type ManagementServer, startManagementServer } from './management-server.ts';
import { sampledGauge } from '@registrar/platform';

describe('a management port', () => {
  let health: Health;
  let registry: Registry;
  let server: ManagementServer;

  beforeEach(async () => {
    health = new Health();
    registry = new Registry();
    server = await startManagementServer({ port: 0, health, registry });
  });
  afterEach(() => server.close());

  const request = async (path: string) => {
    const response = await fetch(server.url + path);
    return [response.status, await response.json()] as const;
  };

  it('reports an app as live whatever its faults', async () => {
    expect(await request('/health/live')).toEqual([200, { ok: true, faults: [] }]);
    health.markStarted(async () => ['the database does not answer']);
    expect((await request('/health/live'))[0]).toBe(200);
    health.markStopping();
    expect((await request('/health/live'))[0]).toBe(200);
  });

  it('reports the start of an app permanently', async () => {
    expect(await request('/health/startup')).toEqual([
      503,
      { ok: false, faults: ['the app is starting'] },
    ]);
    health.markStarted(async () => ['the database does not answer']);
    expect((await request('/health/startup'))[0]).toBe(200);
    health.markStopping();
    expect((await request('/health/startup'))[0]).toBe(200);
  });

  it('reports whether an app is ready, with the faults', async () => {
    const faults: string[] = [];
    expect(await request('/health/ready')).toEqual([
      503,
      { ok: false, faults: ['the app is starting'] },
    ]);
    health.markStarted(async () => faults);
    expect(await request('/health/ready')).toEqual([200, { ok: true, faults: [] }]);
    faults.push('the database does not answer');
    expect(await request('/health/ready')).toEqual([503, { ok: false, faults }]);
    health.markStopping();
    expect(await request('/health/ready')).toEqual([
      503,
      { ok: false, faults: ['the app is stopping'] },
    ]);
  });

  it('exports the version and the commit as registrar_build_info', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain(`registrar_build_info{version="${version}",commit="unknown"} 1`);
  });

  it('exports registrar_ready as 1 exactly while the app is ready', async () => {
    const ready = async () => {
      const response = await fetch(`${server.url}/metrics`);
      return /^registrar_ready (\d)$/m.exec(await response.text())?.[1];
    };
    const faults: string[] = [];
    expect(await ready()).toBe('0');
    health.markStarted(async () => faults);
    expect(await ready()).toBe('1');
    faults.push('the database does not answer');
    expect(await ready()).toBe('0');
  });

  it('serves the metrics of the app and of its process', async () => {
    new Counter({ name: 'things_total', help: 'Things.', registers: [registry] }).inc();
    const response = await fetch(`${server.url}/metrics`);
    expect(response.headers.get('content-type')).toBe(registry.contentType);
    const text = await response.text();
    expect(text).toContain('\nthings_total 1\n');
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it('leaves out gauges whose sampling fails', async () => {
    let isAvailable = true;
    const sample = async <T>(found: T): Promise<T> => {
      if (!isAvailable) throw new Error('unavailable');
      return found;
    };
    const described = (name: string) => ({ name, help: 'Things.' });
    sampledGauge(registry, described('lone'), () => sample(7));
    sampledGauge(registry, { ...described('many'), label: 'state' }, () => sample({ new: 8 }));
    const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
    expect(await metrics()).toMatch(/\nlone 7\n[^]*\nmany\{state="new"\} 8\n/);
    isAvailable = false;
    const without = await metrics();
    expect(without).not.toMatch(/^(lone|many)/m);
    expect(without).toContain('process_resident_memory_bytes');
  });

  it('returns 404 for other paths and methods', async () => {
    expect((await fetch(`${server.url}/`)).status).toBe(404);
    expect((await fetch(`${server.url}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});
