import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, scrapeMetrics } from '@registrar/testing';
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  type GatewayFixture,
  sampleCreated,
  scope,
  startGatewayFixture,
} from '../gateway.fixture.ts';

/** Bursts of five seconds: 10 requests of a realm, 5 of a key, 200 of an address. */
const settings = {
  REALM_REQUESTS_PER_SECOND: '2',
  KEY_REQUESTS_PER_SECOND: '1',
  ADDRESS_REQUESTS_PER_SECOND: '40',
  REALM_REQUESTS_IN_HAND: '32',
  TRUSTED_PROXIES: 'loopback',
  MANAGEMENT_PORT: '0',
};

describe('limits of realms, keys and addresses', () => {
  let gateway: GatewayFixture;
  let realmId = 100;

  beforeAll(async () => {
    gateway = await startGatewayFixture(settings);
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  /** A realm with a key and a pair that have used nothing yet. */
  const newRealm = (limits: Parameters<typeof scope>[0]['limits'] = null) => {
    realmId += 1;
    const { scopes } = gateway.contexts;
    scopes.set(`key-${realmId}`, scope({ realmId, apiKeyId: realmId, wholeRealm: true, limits }));
    scopes.set(`realm-${realmId}:secret`, scope({ realmId, mode: 'realm', limits }));
    return {
      account: `realm ${realmId}`,
      key: `api_key=key-${realmId}`,
      pair: `realm_guid=realm-${realmId}&realm_secret_key=secret`,
    };
  };
  const statuses = async (path: string, count: number) => {
    const all = [];
    for (let sent = 0; sent < count; sent += 1) all.push((await gateway.get(path)).status);
    return all;
  };
  /** What is left of a quota, as a response says. */
  const left = (response: Response, name = 'realm') =>
    Number(new RegExp(`"${name}";r=(\\d+)`).exec(response.headers.get('ratelimit') ?? '')?.[1]);

  it('are stated in the headers of every response to a valid access', async () => {
    const { key, pair } = newRealm();
    const first = await gateway.get(`/course.json?${key}`);
    expect(first.headers.get('ratelimit-policy')).toBe('"realm";q=10;w=5, "key";q=5;w=5');
    expect(first.headers.get('ratelimit')).toBe('"realm";r=9;t=1, "key";r=4;t=1');
    expect(first.headers.get('access-control-expose-headers')).toMatch(
      /RateLimit, RateLimit-Policy/,
    );
    const second = await gateway.get(`/course.json?${pair}&colour=blue`);
    expect([second.status, second.headers.get('ratelimit-policy')]).toEqual([
      500,
      '"realm";q=10;w=5',
    ]);
    expect(left(second)).toBeLessThan(10);
    const none = await gateway.get('/course.json?api_key=wrong-key');
    expect([none.status, none.headers.has('ratelimit')]).toEqual([401, false]);
  });

  it('give 503 with Retry-After beyond the limit of a key, then of its realm, and to no other realm', async () => {
    const { key, pair, account } = newRealm();
    expect(await statuses(`/course.json?${key}`, 5)).toEqual(Array(5).fill(200));
    const ofKey = await gateway.get(`/course.json?${key}`);
    expect([ofKey.status, ofKey.headers.get('retry-after'), await ofKey.text()]).toEqual([
      503,
      '1',
      '',
    ]);
    expect(left(ofKey, 'key')).toBe(0);
    await eventually('the realm has nothing left', async () => {
      const response = await gateway.get(`/course.json?${pair}`);
      return response.status === 503 && left(response) === 0;
    });
    expect(await gateway.statusOf(`/course.json?${newRealm().key}`)).not.toBe(503);
    const reason = `${account} has reached its limit: requests per second`;
    expect(gateway.reasons().filter((each) => each === reason)).toHaveLength(1);
    const metrics = await scrapeMetrics(gateway.app);
    expect(metrics.value('registrar_http_over_limit_total', { limit: 'realm' })).toBeGreaterThan(0);
    expect(metrics.value('registrar_http_over_limit_total', { limit: 'key' })).toBeGreaterThan(0);
  });

  it('are those of the realm where an operator has set them', async () => {
    const { key } = newRealm({ requestsPerSecond: 1, requestsPerSecondOfKey: 7 });
    const response = await gateway.get(`/course.json?${key}`);
    expect(response.headers.get('ratelimit-policy')).toBe('"realm";q=5;w=5, "key";q=35;w=5');
  });

  it('reject a request before its body is read', async () => {
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
    // The peer itself is a proxy.
    const own = await gateway.get('/course.json?api_key=wrong-key');
    expect(own.status).toBe(401);
  });

  it('let the requests of a realm wait for its turn, and those of others pass', async () => {
    const realm = newRealm({
      requestsPerSecond: 100,
      requestsPerSecondOfKey: 100,
      requestsInHand: 1,
    });
    const other = newRealm({ requestsPerSecond: 100, requestsPerSecondOfKey: 100 });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const begun: unknown[] = [];
    gateway.contexts.courses = async ({ scope: { realmId: of } }) => {
      begun.push(of);
      if (`realm ${of}` === realm.account) await released;
      return { items: [], next: null };
    };
    const waiting = [1, 2, 3].map(() => gateway.statusOf(`/course.json?${realm.key}`));
    await eventually('two requests wait', async () => {
      return (await scrapeMetrics(gateway.app)).value('registrar_http_waiting', {}) === 2;
    });
    expect(await gateway.statusOf(`/course.json?${other.key}`)).toMatchObject({ status: 200 });
    expect(begun).toHaveLength(2);
    release();
    for (const each of await Promise.all(waiting)) expect(each).toMatchObject({ status: 200 });
  });

  it('reject more of a realm than may wait, and never the later pages of a list', async () => {
    const realm = newRealm({
      requestsPerSecond: 1_000,
      requestsPerSecondOfKey: 1_000,
      requestsInHand: 1,
    });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    gateway.contexts.create = async () => {
      await released;
      return sampleCreated;
    };
    let pages = 0;
    gateway.contexts.registrations = async (cursor) => {
      pages += 1;
      return { items: [], next: cursor === null ? 'more' : null };
    };
    const list = await gateway.get(`/registration.json?${realm.key}`);
    expect([list.status, await list.text(), pages]).toEqual([200, '[]', 2]);
    const create = `/registration/gcreate.json?course_guid=knots&learner_id=a@example.com&${realm.key}`;
    const sent = Array.from({ length: 98 }, async () => (await gateway.get(create)).status);
    expect(await Promise.race(sent)).toBe(503);
    release();
    const all = await Promise.all(sent);
    expect(all.filter((status) => status === 201)).toHaveLength(97);
  });

  it.each([
    ['/registration.json?crawl=true', 'enrolment.recrawl-registrations'],
    ['/run.json?name=seats', 'enrolment.run-query'],
    ['/course.json?include_registrations=true', 'catalog.index-courses'],
  ])('never reject the rest of %s after its first request to a context', async (path, first) => {
    const limits = { requestsPerSecond: 1_000, requestsPerSecondOfKey: 1_000, requestsInHand: 2 };
    const { key, pair } = newRealm(limits);
    const user = first.startsWith('catalog') ? { id: 5, email: 'user@example.com' } : null;
    const { scopes } = gateway.contexts;
    const access = { realmId, applicationIds: [1], wholeRealm: true, limits };
    scopes.set(`list-${realmId}`, scope({ ...access, user, apiKeyId: realmId + 1_000 }));
    // While the pair was the last one to ask, only one request of the realm runs, so that none
    // begins when the first one of the list ends.
    const narrow = { ...limits, requestsInHand: 1 };
    scopes.set(`realm-${realmId}:secret`, scope({ ...access, mode: 'realm', limits: narrow }));
    const { promise: listed, resolve: endFirst } = Promise.withResolvers<void>();
    const { promise: created, resolve: endCreates } = Promise.withResolvers<void>();
    gateway.contexts.receive = async (contract) => {
      if (contract === first) await listed;
      if (contract === 'enrolment.create-registration') await created;
    };
    const hasReceived = (contract: string) =>
      eventually(`${contract} was sent`, () =>
        Promise.resolve(gateway.received(contract).length > 0),
      );
    const list = gateway.get(`${path}&api_key=list-${realmId}`);
    await hasReceived(first);
    const create = '/registration/gcreate.json?course_guid=knots&learner_id=a@example.com';
    const running = gateway.get(`${create}&${key}`);
    await hasReceived('enrolment.create-registration');
    const waiting = Array.from({ length: 97 }, () => gateway.get(`${create}&${pair}`));
    expect((await Promise.race(waiting)).status).toBe(503);
    endFirst();
    await eventually('the next request of the list waits too', async () => {
      return (await scrapeMetrics(gateway.app)).value('registrar_http_waiting', {}) === 97;
    });
    endCreates();
    const { status } = await list;
    expect(status).toBe(200);
    await Promise.all([running, ...waiting]);
  });

  it('are shared by the gateways, in proportion to the demand on each', async () => {
    const replica = await gateway.startReplica();
    try {
      const { pair } = newRealm({ requestsPerSecond: 100 });
      const path = `/course.json?${pair}`;
      const there = gateway.base.replace(String(gateway.app.url), String(replica.url)) + path;
      await eventually('each gateway has about half of the limit', async () => {
        const [here, beyond] = await Promise.all([gateway.get(path), fetch(there)]);
        expect(here.headers.get('ratelimit-policy')).toBe('"realm";q=500;w=5');
        return [here, beyond].every((response) => left(response) > 100 && left(response) < 400);
      });
    } finally {
      await replica.stop();
    }
  });
});
