import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clock } from '@registrar/platform';
import { eventually, scrapeMetrics } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import {
  type GatewayFixture,
  sampleFinding,
  scope,
  startGatewayFixture,
  listedRegistration,
} from '../gateway.fixture.ts';

/** The bounds of slots.ts: of the streams, one key of a realm alone has about half. */
const maxInFlight = { request: 384, stream: 61 };

const list = '/registration.json?api_key=key-of-realm';

describe('the slots of requests', () => {
  let gateway: GatewayFixture;
  let clients: AbortController;
  let released: Promise<void>;
  let release: () => void;
  let app: string;
  /** A request whose access is looked up until `release` is called. */
  let create: string;

  beforeAll(async () => {
    gateway = await startGatewayFixture({
      MANAGEMENT_PORT: '0',
      MAX_CONNECTIONS_PER_ADDRESS: '1000',
    });
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.reset();
    clients = new AbortController();
    ({ promise: released, resolve: release } = Promise.withResolvers<void>());
    app = `held-${randomUUID()}`;
    create = `/registration/gcreate.json?course_guid=knots&learner_id=a@example.com&sc_app_id=${app}&sc_secret_key=secret`;
    gateway.contexts.scopes.set(`${app}:secret`, scope({ mode: 'provider' }));
    gateway.contexts.lookUp = async (key) => {
      if (key.startsWith(app)) await released;
    };
  });
  afterEach(async () => {
    release();
    clients.abort();
    await inFlight('request', 0);
    await inFlight('stream', 0);
  });

  const metric = async (name: string, kind: string) =>
    (await scrapeMetrics(gateway.app)).value(name, { kind }) ?? 0;
  /** Resolves when so many requests of a kind are in flight. */
  const inFlight = (kind: keyof typeof maxInFlight, count: number) =>
    eventually(
      `${count} slots of kind ${kind} are taken`,
      async () => (await metric('registrar_http_in_flight', kind)) === count,
    );
  /** The status of a response that may never end; null if the request fails. */
  const statusOf = (path: string) =>
    new Promise<number | null>((resolve) => {
      const request = get(gateway.base + path, { agent: false, signal: clients.signal });
      request.on('error', () => resolve(null));
      request.on('response', (response) => {
        response.on('error', () => undefined).resume();
        resolve(response.statusCode ?? null);
      });
    });
  /** Takes every slot with requests that last; returns their statuses. */
  const fill = async (kind: keyof typeof maxInFlight, path: string) => {
    const answers = Array.from({ length: maxInFlight[kind] }, () => statusOf(path));
    await inFlight(kind, maxInFlight[kind]);
    return { statuses: Promise.all(answers).then((all) => new Set(all)) };
  };

  it('sheds requests beyond the bound with 503 before any work, and recovers', async () => {
    const shedBefore = await metric('registrar_http_shed_total', 'request');
    const { statuses } = await fill('request', create);
    const shed = await gateway.get(create, { headers: { 'x-request-id': 'one-too-many' } });
    expect([shed.status, await shed.text()]).toEqual([503, '']);
    expect(shed.headers.get('retry-after')).toBe('1');
    expect(shed.headers.get('x-request-id')).toBe('one-too-many');
    expect(shed.headers.has('content-type')).toBe(false);
    for (let more = 0; more < 99; more += 1) expect(await gateway.statusOf(create)).toBe(503);
    expect(await metric('registrar_http_shed_total', 'request')).toBe(shedBefore + 100);
    expect(await metric('registrar_http_in_flight', 'request')).toBe(maxInFlight.request);
    const logged = gateway.lines().filter(({ msg }) => msg === 'requests are shed: overloaded');
    const line = { kind: 'request', in_flight: maxInFlight.request };
    expect(logged).toEqual([expect.objectContaining(line)]);
    release();
    expect(await statuses).toContain(201);
    await inFlight('request', 0);
    expect((await gateway.get(create)).status).toBe(201);
  });

  it('lets a browser page read the 503 of a shed request', async () => {
    const { statuses } = await fill('request', create);
    const response = await gateway.get('/api_key.json?api_key=key-of-realm', { method: 'POST' });
    expect(response.status).toBe(503);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    release();
    expect(await statuses).toContain(201);
  });

  it('holds the slot of a disconnected client until its work has settled', async () => {
    const { statuses } = await fill('request', create);
    clients.abort();
    expect(await statuses).toEqual(new Set([null]));
    expect(await gateway.statusOf(create)).toBe(503);
    expect(await metric('registrar_http_in_flight', 'request')).toBe(maxInFlight.request);
    release();
    await inFlight('request', 0);
  });

  it('counts lists being sent apart from all other requests', async () => {
    const item = listedRegistration;
    gateway.contexts.registrations = async (cursor) => {
      if (cursor === null) return { items: [item], next: 'more' };
      await released;
      return { items: [item], next: null };
    };
    const { statuses } = await fill('stream', list);
    expect(await statuses).toEqual(new Set([200]));
    expect(await gateway.statusOf(list)).toBe(503);
    const access = new URLSearchParams({ realm_guid: 'realm-1', realm_secret_key: 'realm-secret' });
    expect((await gateway.post('/api_key.json', access)).status).toBe(201);
    expect(await metric('registrar_http_in_flight', 'stream')).toBe(maxInFlight.stream);
    release();
    await inFlight('stream', 0);
    expect(await (await gateway.get(list)).json()).toHaveLength(2);
  });

  it('sends a list of another realm while one realm has its share of slow ones', async () => {
    const item = listedRegistration;
    // All lists but one wait for enrolment, and one for its client.
    gateway.contexts.registrations = async (cursor) => {
      if (cursor === null) return { items: [item], next: 'more' };
      await released;
      return { items: [item], next: null };
    };
    const waiting = Array.from({ length: maxInFlight.stream - 1 }, () => statusOf(list));
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
    // More than the buffers of a connection hold.
    const items = Array.from({ length: 300 }, () => ({ ...item, custom: 'x'.repeat(60_000) }));
    gateway.contexts.registrations = async () => ({ items, next: null });
    const unread = get(gateway.base + list, { agent: false, signal: clients.signal });
    unread.on('error', () => undefined);
    const [response] = (await once(unread, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    expect(await gateway.statusOf(list)).toBe(503);
    gateway.contexts.registrations = async () => ({ items: [], next: null });
    const other = '/registration.json?sc_app_id=app-9&sc_secret_key=app-secret';
    expect(await gateway.statusOf(other)).toEqual({ status: 200, body: '[]' });
    expect(await metric('registrar_http_in_flight', 'stream')).toBe(maxInFlight.stream);
  });

  it('a check of a package in the last slot of a realm shows its list of findings', async () => {
    const item = listedRegistration;
    gateway.contexts.registrations = async (cursor) => {
      if (cursor === null) return { items: [item], next: 'more' };
      await released;
      return { items: [item], next: null };
    };
    // Realms of the tests before are no longer active.
    clock.step(1_001);
    const others = Array.from({ length: maxInFlight.stream - 1 }, () => statusOf(list));
    expect(new Set(await Promise.all(others))).toEqual(new Set([200]));
    const form = new FormData();
    form.set('api_key', 'key-of-realm');
    form.set('file', new Blob(['zip']), 'course.zip');
    const response = await gateway.post('/course/check.json', form);
    expect([response.status, await response.json()]).toEqual([200, [sampleFinding]]);
  });

  it('counts a list as a request until its first page is read', async () => {
    const held = list.replace('api_key=key-of-realm', `sc_app_id=${app}&sc_secret_key=secret`);
    const { statuses } = await fill('request', held);
    expect(await metric('registrar_http_in_flight', 'stream')).toBe(0);
    expect(await gateway.statusOf(create)).toBe(503);
    release();
    expect(await statuses).toContain(200);
  });
});
