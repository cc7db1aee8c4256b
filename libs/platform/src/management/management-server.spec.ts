import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Counter, Registry } from 'prom-client';
import { Health } from './health.ts';
import { type ManagementServer, startManagementServer } from './management-server.ts';
import { sampledGauge } from './sampled-gauge.ts';

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

  const told = async (path: string) => {
    const response = await fetch(server.url + path);
    return [response.status, await response.json()] as const;
  };

  it('says that an app lives, whatever it lacks', async () => {
    expect(await told('/health/live')).toEqual([200, { ok: true, faults: [] }]);
    health.begin(async () => ['the database does not answer']);
    expect((await told('/health/live'))[0]).toBe(200);
    health.end();
    expect((await told('/health/live'))[0]).toBe(200);
  });

  it('says when an app has started, once and for all', async () => {
    expect(await told('/health/startup')).toEqual([503, { ok: false, faults: ['it starts'] }]);
    health.begin(async () => ['the database does not answer']);
    expect((await told('/health/startup'))[0]).toBe(200);
    health.end();
    expect((await told('/health/startup'))[0]).toBe(200);
  });

  it('says whether an app is ready, and why not', async () => {
    const faults: string[] = [];
    expect(await told('/health/ready')).toEqual([503, { ok: false, faults: ['it starts'] }]);
    health.begin(async () => faults);
    expect(await told('/health/ready')).toEqual([200, { ok: true, faults: [] }]);
    faults.push('the database does not answer');
    expect(await told('/health/ready')).toEqual([503, { ok: false, faults }]);
    health.end();
    expect(await told('/health/ready')).toEqual([503, { ok: false, faults: ['it stops'] }]);
  });

  it('counts as ready for monitoring exactly while it is', async () => {
    const told = async () => {
      const response = await fetch(`${server.url}/metrics`);
      return /^registrar_ready (\d)$/m.exec(await response.text())?.[1];
    };
    const faults: string[] = [];
    expect(await told()).toBe('0');
    health.begin(async () => faults);
    expect(await told()).toBe('1');
    faults.push('the database does not answer');
    expect(await told()).toBe('0');
  });

  it('tells the metrics of the app and of its process', async () => {
    new Counter({ name: 'things_total', help: 'Things.', registers: [registry] }).inc();
    const response = await fetch(`${server.url}/metrics`);
    expect(response.headers.get('content-type')).toBe(registry.contentType);
    const text = await response.text();
    expect(text).toContain('\nthings_total 1\n');
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it('leaves out what cannot be looked up, and tells the rest', async () => {
    let isThere = true;
    const lookUp = async <T>(found: T): Promise<T> => {
      if (!isThere) throw new Error('away');
      return found;
    };
    const described = (name: string) => ({ name, help: 'Things.' });
    sampledGauge(registry, described('lone'), () => lookUp(7));
    sampledGauge(registry, { ...described('many'), label: 'state' }, () => lookUp({ new: 8 }));
    const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
    expect(await metrics()).toMatch(/\nlone 7\n[^]*\nmany\{state="new"\} 8\n/);
    isThere = false;
    const without = await metrics();
    expect(without).not.toMatch(/^(lone|many)/m);
    expect(without).toContain('process_resident_memory_bytes');
  });

  it('knows no other paths or methods', async () => {
    expect((await fetch(`${server.url}/`)).status).toBe(404);
    expect((await fetch(`${server.url}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});
