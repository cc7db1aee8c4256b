import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { scrapeMetrics } from '#libs/testing';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type GatewayFixture,
  sampleCreated,
  sampleRegistration,
  startGatewayFixture,
} from '../gateway.fixture.ts';

/** How many requests of each kind a gateway has in hand at a time (admission.ts). */
const places = { brief: 128, long: 64 };

const create =
  '/registration/gcreate.json?course_guid=knots&learner_id=a@example.com' +
  '&sc_app_id=app-1&sc_secret_key=app-secret';
const list = '/registration.json?api_key=key-of-realm';

describe('a gateway that has its hands full', () => {
  let gateway: GatewayFixture;
  let clients: AbortController;
  let released: Promise<void>;
  let release: () => void;

  beforeAll(async () => {
    gateway = await startGatewayFixture({ MANAGEMENT_PORT: '0' });
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.reset();
    clients = new AbortController();
    ({ promise: released, resolve: release } = Promise.withResolvers<void>());
    gateway.contexts.create = async () => {
      await released;
      return sampleCreated;
    };
  });
  afterEach(async () => {
    release();
    clients.abort();
    await inHand('brief', 0);
    await inHand('long', 0);
  });

  const metric = async (name: string, kind: string) =>
    (await scrapeMetrics(gateway.app)).value(name, { kind }) ?? 0;
  /** Resolves when the gateway has so many requests in hand. */
  const inHand = async (kind: keyof typeof places, count: number) => {
    while ((await metric('registrar_http_in_flight', kind)) !== count) await pause(20);
  };
  /** The status of an answer whose end may never come; null when there is none. */
  const statusOf = (path: string) =>
    new Promise<number | null>((resolve) => {
      const request = get(gateway.base + path, { agent: false, signal: clients.signal });
      request.on('error', () => resolve(null));
      request.on('response', (response) => {
        response.on('error', () => undefined).resume();
        resolve(response.statusCode ?? null);
      });
    });
  /** Takes every place with requests that last; answers what becomes of them. */
  const fill = async (kind: keyof typeof places, path: string) => {
    const answers = Array.from({ length: places[kind] }, () => statusOf(path));
    await inHand(kind, places[kind]);
    return { statuses: Promise.all(answers).then((all) => new Set(all)) };
  };

  it('turns the next away with 503, an empty body and nothing done, and recovers', async () => {
    const shedBefore = await metric('registrar_http_shed_total', 'brief');
    const { statuses } = await fill('brief', create);
    const turnedAway = await gateway.get(create, { headers: { 'x-request-id': 'one-too-many' } });
    expect([turnedAway.status, await turnedAway.text()]).toEqual([503, '']);
    expect(turnedAway.headers.get('retry-after')).toBe('1');
    expect(turnedAway.headers.get('x-request-id')).toBe('one-too-many');
    expect(turnedAway.headers.has('content-type')).toBe(false);
    for (let more = 0; more < 99; more += 1) expect(await gateway.statusOf(create)).toBe(503);
    expect(await metric('registrar_http_shed_total', 'brief')).toBe(shedBefore + 100);
    expect(await metric('registrar_http_in_flight', 'brief')).toBe(places.brief);
    const told = gateway.lines().filter(({ msg }) => msg === 'requests are turned away');
    expect(told).toEqual([expect.objectContaining({ kind: 'brief', in_flight: places.brief })]);
    release();
    expect(await statuses).toEqual(new Set([201]));
    await inHand('brief', 0);
    expect((await gateway.get(create)).status).toBe(201);
    // Those that were turned away reached no context.
    expect(gateway.asked('create')).toHaveLength(places.brief + 1);
  });

  it('lets a page see that it was turned away', async () => {
    const { statuses } = await fill('brief', create);
    const asPage = await gateway.get('/api_key.json?api_key=key-of-realm', { method: 'POST' });
    expect(asPage.status).toBe(503);
    expect(asPage.headers.get('access-control-allow-origin')).toBe('*');
    release();
    expect(await statuses).toEqual(new Set([201]));
  });

  it('keeps the place of a client that has gone for the work that goes on', async () => {
    const { statuses } = await fill('brief', create);
    clients.abort();
    expect(await statuses).toEqual(new Set([null]));
    expect(await gateway.statusOf(create)).toBe(503);
    expect(await metric('registrar_http_in_flight', 'brief')).toBe(places.brief);
    release();
    await inHand('brief', 0);
  });

  it('has places apart for lists, which last as long as their reader takes', async () => {
    const item = { ...sampleRegistration, active: true };
    gateway.contexts.registrations = async (cursor) => {
      if (cursor === null) return { items: [item], next: 'more' };
      await released;
      return { items: [item], next: null };
    };
    const { statuses } = await fill('long', list);
    expect(await statuses).toEqual(new Set([200]));
    expect(await gateway.statusOf(list)).toBe(503);
    const access = new URLSearchParams({ realm_guid: 'realm-1', realm_secret_key: 'realm-secret' });
    expect((await gateway.post('/api_key.json', access)).status).toBe(201);
    expect(await metric('registrar_http_in_flight', 'long')).toBe(places.long);
    release();
    await inHand('long', 0);
    expect(await (await gateway.get(list)).json()).toHaveLength(2);
  });

  it('counts a list among all others until it has something to send', async () => {
    gateway.contexts.registrations = async () => {
      await released;
      return { items: [], next: null };
    };
    const { statuses } = await fill('brief', list);
    expect(await metric('registrar_http_in_flight', 'long')).toBe(0);
    expect(await gateway.statusOf(create)).toBe(503);
    release();
    // Only so many of them may be sent at a time.
    expect(await statuses).toContain(200);
  });
});
