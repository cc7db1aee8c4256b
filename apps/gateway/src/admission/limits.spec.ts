import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '@registrar/platform';
import { eventually, scrapeMetrics } from '@registrar/testing';
import type { FastifyRequest } from 'fastify';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type GatewayFixture, scope, startGatewayFixture } from '../gateway.fixture.ts';
import { RequestPipeline } from '../http/request-pipeline.ts';
import { callersOf } from './callers.fixture.ts';
import { burstSeconds } from './realm-rates.ts';

/** Requests per second of a realm and of a key. */
const perSecond = { realm: 4, key: 1 };
const settings = {
  REALM_REQUESTS_PER_SECOND: String(perSecond.realm),
  KEY_REQUESTS_PER_SECOND: String(perSecond.key),
  ADDRESS_REQUESTS_PER_SECOND: '10',
  TRUSTED_PROXIES: 'loopback',
  MANAGEMENT_PORT: '0',
};

/** How many requests may come at once. */
const burstOf = (requestsPerSecond: number) => requestsPerSecond * burstSeconds;
const policyOf = (name: string, requestsPerSecond: number) =>
  `"${name}";q=${burstOf(requestsPerSecond)};w=${burstSeconds}`;

describe('limits of realms, keys and addresses', () => {
  let gateway: GatewayFixture;

  beforeAll(async () => {
    gateway = await startGatewayFixture(settings);
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.reset();
    // Nothing refills, however long the requests take.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  });
  afterEach(() => void vi.restoreAllMocks());

  const callers = callersOf(() => gateway);
  const { newRealm, newUser } = callers;
  const statuses = async (path: string, count: number) => {
    const all = [];
    for (let sent = 0; sent < count; sent += 1) all.push((await gateway.get(path)).status);
    return all;
  };
  /** The lines that name an account which has reached a limit. */
  const loggedOverLimit = (reason: string) =>
    gateway.lines().filter((line) => line['reason'] === reason && !('client_address' in line));
  /** What is left of a quota, as a response says. */
  const left = (response: Response, name = 'realm') =>
    Number(new RegExp(`"${name}";r=(\\d+)`).exec(response.headers.get('ratelimit') ?? '')?.[1]);

  it('limits of realms, keys and addresses are stated in the headers of every response to a valid access', async () => {
    const { key, pair } = newRealm();
    const first = await gateway.get(`/course.json?${key}`);
    expect(first.headers.get('ratelimit-policy')).toBe(
      `${policyOf('realm', perSecond.realm)}, ${policyOf('key', perSecond.key)}`,
    );
    expect(first.headers.get('ratelimit')).toBe(
      `"realm";r=${burstOf(perSecond.realm) - 1};t=1, "key";r=${burstOf(perSecond.key) - 1};t=1`,
    );
    expect(first.headers.get('access-control-expose-headers')).toMatch(
      /RateLimit, RateLimit-Policy/,
    );
    const second = await gateway.get(`/course.json?${pair}&color=blue`);
    expect([second.status, second.headers.get('ratelimit-policy')]).toEqual([
      500,
      policyOf('realm', perSecond.realm),
    ]);
    expect(left(second)).toBeLessThan(burstOf(perSecond.realm));
    const none = await gateway.get('/course.json?api_key=wrong-key');
    expect([none.status, none.headers.has('ratelimit')]).toEqual([401, false]);
  });

  it('limits of realms, keys and addresses give 503 with Retry-After beyond the limit of a key, then of its realm, and to no other realm', async () => {
    const { key, pair, account } = newRealm();
    const atOnce = burstOf(perSecond.key);
    expect(await statuses(`/course.json?${key}`, atOnce)).toEqual(Array(atOnce).fill(200));
    const ofKey = await gateway.get(`/course.json?${key}`);
    expect([ofKey.status, ofKey.headers.get('retry-after'), await ofKey.text()]).toEqual([
      503,
      '1',
      '',
    ]);
    expect(left(ofKey, 'key')).toBe(0);
    const headers = { authorization: `Bearer ${key.replace('api_key=', '')}` };
    expect(await gateway.statusOf('/course.json', { headers })).toBe(503);
    await eventually('the realm has nothing left', async () => {
      const response = await gateway.get(`/course.json?${pair}`);
      return response.status === 503 && left(response) === 0;
    });
    expect(await gateway.statusOf(`/course.json?${newRealm().key}`)).not.toBe(503);
    const reason = `${account} has reached its limit: requests per second`;
    expect(loggedOverLimit(reason)).toHaveLength(1);
    // The terminal of `npm start` shows the first of them.
    const shown = gateway.refused.filter((each) => each.reason === reason);
    expect(shown).toMatchObject([{ status: 503, method: 'GET', path: '/api/v2/course.json' }]);
    const first = gateway
      .lines()
      .filter((line) => line['request_id'] === shown[0]?.requestId)
      .find(({ msg }) => msg === 'request refused');
    expect(first).toMatchObject({ reason, account, operation: 'course index' });
    expect(await gateway.statusOf(`/course.json?${pair}`)).toBe(503);
    // They are counted, and the number is shown at the end of a window.
    clock.step(10_000);
    const more = gateway.refused.findLast((each) => each.reason.startsWith(`${reason}: `));
    expect(more?.reason).toMatch(/: \d+ more requests$/);
    expect(gateway.lines().findLast((line) => line['reason'] === reason)).toMatchObject({
      msg: 'more requests refused',
      requests: Number(/\d+(?= more)/.exec(more?.reason ?? '')?.[0]),
    });
    const metrics = await scrapeMetrics(gateway.app);
    expect(metrics.value('registrar_http_over_limit_total', { limit: 'realm' })).toBeGreaterThan(0);
    expect(metrics.value('registrar_http_over_limit_total', { limit: 'key' })).toBeGreaterThan(0);
  });

  it('limits of realms, keys and addresses are those of the realm where an operator has set them', async () => {
    const { key } = newRealm({ requestsPerSecond: 1, requestsPerSecondOfKey: 7 });
    const response = await gateway.get(`/course.json?${key}`);
    expect(response.headers.get('ratelimit-policy')).toBe(
      `${policyOf('realm', 1)}, ${policyOf('key', 7)}`,
    );
  });

  it('the limits of a key hold for all keys of one user together', async () => {
    const [first, second] = newUser({ requestsPerSecond: 100, requestsPerSecondOfKey: 1 });
    const all = [
      ...(await statuses(`/course.json?${first}`, 1)),
      ...(await statuses(`/course.json?${second}`, 2)),
    ];
    expect(all).toEqual([200, 200, 503]);
  });

  it('the limit of a realm is shared by its users and keys: two keys of one user leave some to another user, and more to keys of the realm', async () => {
    const limits = { requestsPerSecond: 30, requestsPerSecondOfKey: 1_000 };
    const [first, second] = newUser(limits);
    const sent = [
      ...(await statuses(`/course.json?${first}`, 40)),
      ...(await statuses(`/course.json?${second}`, 40)),
    ];
    expect(sent.filter((status) => status === 200)).toHaveLength(burstOf(30) / 2);
    const [other] = newUser(limits, callers.realmId);
    expect(await statuses(`/course.json?${other}`, 15)).toEqual(Array(15).fill(200));
    expect((await gateway.get(`/course.json?${other}`)).status).toBe(503);
    const { scopes } = gateway.contexts;
    scopes.set(
      `realm-${callers.realmId}:secret`,
      scope({ realmId: callers.realmId, mode: 'realm', limits }),
    );
    const pair = `realm_guid=realm-${callers.realmId}&realm_secret_key=secret`;
    expect(await statuses(`/course.json?${pair}`, 14)).toEqual(Array(14).fill(200));
  });

  it('the limits of a key hold for a provider pair too, which leaves the rest to its realm', async () => {
    const { providerPair, key } = newRealm({ requestsPerSecond: 100, requestsPerSecondOfKey: 1 });
    const first = await gateway.get(`/course.json?${providerPair}`);
    expect(first.headers.get('ratelimit-policy')).toBe(
      `${policyOf('realm', 100)}, ${policyOf('key', 1)}`,
    );
    await eventually('the pair has reached its limit', async () => {
      const response = await gateway.get(`/course.json?${providerPair}`);
      return response.status === 503 && left(response, 'key') === 0 && left(response) > 0;
    });
    expect(await gateway.statusOf(`/course.json?${key}`)).toMatchObject({ status: 200 });
  });

  it('the limits of a realm are remembered although requests of very many addresses arrive', async () => {
    const { key } = newRealm();
    await gateway.get(`/course.json?${key}`);
    const pipeline = gateway.app.get(RequestPipeline);
    for (let each = 0; each < 20_001; each += 1) {
      const ip = `10.1.${Math.floor(each / 256)}.${each % 256}`;
      pipeline.arrive({ ip } as FastifyRequest, null);
    }
    const second = await gateway.get(`/course.json?${key}`);
    expect(left(second, 'key')).toBeLessThan(burstOf(perSecond.key) - 1);
  });

  it('limits of realms, keys and addresses reject a request before its body is read', async () => {
    const { key } = newRealm({ requestsPerSecond: 1 });
    await eventually('nothing is left', async () => {
      return (await gateway.get(`/course.json?${key}`)).status === 503;
    });
    const { host, port, pathname } = new URL(`${gateway.base}/course.json`);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST ${pathname}?${key} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1000000\r\n` +
        'content-type: application/x-www-form-urlencoded\r\n\r\n',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: [1-9]/i);
  });

  it('bound the requests of one address before its access is known', async () => {
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const get = async (address: string) =>
      (await gateway.get('/course.json?api_key=wrong-key', from(address))).status;
    await eventually('an address has reached its limit', async () => {
      const all = await Promise.all(Array.from({ length: 50 }, () => get('203.0.113.1')));
      return all.includes(503);
    });
    expect(await get('203.0.113.2')).toBe(401);
    // So are unknown paths, which are no longer logged then.
    const missing = (address: string) => gateway.get('/no-such-path', from(address));
    const beyond = await eventually('unknown paths have reached it', async () => {
      const all = await Promise.all(Array.from({ length: 50 }, () => missing('203.0.113.3')));
      return all.find(({ status }) => status === 503);
    });
    expect(beyond.headers.get('retry-after')).toMatch(/^[1-9]/);
    expect(beyond.headers.get('cache-control')).toBe('no-store');
    expect((await missing('203.0.113.2')).status).toBe(404);
    const reason = 'address 203.0.113.3 has reached its limit: requests per second';
    expect(loggedOverLimit(reason)).toHaveLength(1);
    // The terminal of `npm start` shows the first of them.
    const shown = gateway.refused.filter((each) => each.reason === reason);
    expect(shown).toMatchObject([{ status: 503, method: 'GET', path: '/api/v2/no-such-path' }]);
    // The peer itself is a proxy.
    const own = await gateway.get('/course.json?api_key=wrong-key');
    expect(own.status).toBe(401);
  });

  it('limits of realms, keys and addresses are none without a setting: a realm that is alone may use all of a gateway', async () => {
    const unlimited = await startGatewayFixture({
      ADDRESS_REQUESTS_PER_SECOND: '5',
      MANAGEMENT_PORT: '0',
    });
    try {
      const path = '/course.json?api_key=key-of-realm';
      // Many more than the address may send at once without access.
      for (let round = 0; round < 10; round += 1) {
        const all = await Promise.all(Array.from({ length: 20 }, () => unlimited.get(path)));
        expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
        expect(all.filter(({ headers }) => headers.has('ratelimit-policy'))).toEqual([]);
      }
    } finally {
      await unlimited.stop();
    }
  });

  it('limits of realms, keys and addresses are those of each gateway', async () => {
    const replica = await gateway.startReplica();
    try {
      const { pair } = newRealm({ requestsPerSecond: 1 });
      const path = `/course.json?${pair}`;
      const there = gateway.base.replace(String(gateway.app.url), String(replica.url)) + path;
      await eventually('nothing is left here', async () => {
        return (await gateway.get(path)).status === 503;
      });
      const beyond = await fetch(there);
      expect([beyond.status, left(beyond)]).toEqual([200, burstOf(1) - 1]);
    } finally {
      await replica.stop();
    }
  });
});
