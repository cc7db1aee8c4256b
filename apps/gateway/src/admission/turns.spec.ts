import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '@registrar/platform';
import { eventually, scrapeMetrics } from '@registrar/testing';
import {
  type GatewayFixture,
  sampleCreated,
  scope,
  startGatewayFixture,
} from '../gateway.fixture.ts';
import { callersOf } from './callers.fixture.ts';

describe('turns of requests', () => {
  let gateway: GatewayFixture;
  const callers = callersOf(() => gateway);
  const { newRealm, newUser } = callers;

  /** Resolves when so many requests to contexts wait for their turn. */
  const untilWaiting = (count: number) =>
    eventually(`${count} requests wait`, async () => {
      return (await scrapeMetrics(gateway.app)).value('registrar_http_waiting', {}) === count;
    });

  beforeAll(async () => {
    gateway = await startGatewayFixture({ MANAGEMENT_PORT: '0' });
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.reset();
    // Work takes no time, so that no place rests after it.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  });
  afterEach(() => void vi.restoreAllMocks());

  it('turns of requests let the requests of a realm wait for its turn, and those of others pass', async () => {
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
    await untilWaiting(2);
    expect(await gateway.statusOf(`/course.json?${other.key}`)).toMatchObject({ status: 200 });
    expect(begun).toHaveLength(2);
    release();
    for (const each of await Promise.all(waiting)) expect(each).toMatchObject({ status: 200 });
  });

  it('requests of another user and the realm pair pass while two keys of one user have many requests to a context', async () => {
    const limits = { requestsPerSecond: 1_000, requestsPerSecondOfKey: 1_000 };
    const [first, second] = newUser(limits);
    const flooded = callers.realmId;
    const [other] = newUser(limits, flooded);
    gateway.contexts.scopes.set(
      `realm-${flooded}:secret`,
      scope({ realmId: flooded, mode: 'realm', limits }),
    );
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    gateway.contexts.create = async () => {
      await released;
      return sampleCreated;
    };
    const create = '/registration/gcreate.json?course_guid=knots';
    const flood = Array.from({ length: 150 }, (_, at) =>
      gateway.get(`${create}&${at % 2 === 0 ? first : second}`),
    );
    // Some of them are rejected, because their user has too many waiting.
    expect((await Promise.race(flood)).status).toBe(503);
    expect(await gateway.statusOf(`/course.json?${other}`)).toMatchObject({ status: 200 });
    const pair = `realm_guid=realm-${flooded}&realm_secret_key=secret`;
    expect(await gateway.statusOf(`/course.json?${pair}`)).toMatchObject({ status: 200 });
    release();
    await Promise.all(flood);
  });

  it.each([
    [8, 'alone in the realm'],
    [1, 'beside another'],
  ])(
    'turns of requests let at most %d requests of all keys of a user %s be worked on',
    async (most, company) => {
      const limits = { requestsPerSecond: 1_000, requestsPerSecondOfKey: 1_000 };
      const keys = newUser(limits);
      const [other] = newUser(limits, callers.realmId);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      gateway.contexts.create = async () => {
        await released;
        return sampleCreated;
      };
      // Realms of the tests before are no longer active.
      clock.step(1_001);
      if (company !== 'alone in the realm') await gateway.get(`/course.json?${other}`);
      const create = '/registration/gcreate.json?course_guid=knots';
      const sent = Array.from({ length: most + 2 }, (_, at) =>
        gateway.get(`${create}&${keys[at % 2]}`),
      );
      await untilWaiting(2);
      expect(gateway.received('enrolment.create-registration')).toHaveLength(most);
      release();
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([201]));
    },
  );

  it.each([
    ['enrolment.create-registration', 16, 'alone'],
    ['enrolment.create-registration', 4, 'beside another'],
    ['enrolment.recrawl-registrations', 4, 'alone'],
    ['enrolment.recrawl-registrations', 1, 'beside another'],
  ])(
    'requests of a realm that are no %s pass while %d of those are worked on, of a realm %s, and more wait',
    async (costly, most, company) => {
      const path =
        costly === 'enrolment.create-registration'
          ? '/registration/gcreate.json?course_guid=knots&learner_id=a@example.com'
          : '/registration.json?crawl=true';
      const { key } = newRealm({ requestsPerSecond: 1_000, requestsPerSecondOfKey: 1_000 });
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      gateway.contexts.receive = async (contract) => {
        if (contract === costly) await released;
      };
      // Realms of the tests before are no longer active.
      clock.step(1_001);
      if (company !== 'alone') await gateway.get(`/course.json?${newRealm().key}`);
      const sent = Array.from({ length: most + 2 }, () => gateway.get(`${path}&${key}`));
      await untilWaiting(2);
      expect(gateway.received(costly)).toHaveLength(most);
      expect(await gateway.statusOf(`/course.json?${key}`)).toMatchObject({ status: 200 });
      release();
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      expect(new Set(statuses).size).toBe(1);
      expect(statuses[0]).toBeLessThan(300);
    },
  );

  it('turns of requests reject more of a realm than may wait, and never the later pages of a list', async () => {
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
    const sent = Array.from({ length: 66 }, async () => (await gateway.get(create)).status);
    expect(await Promise.race(sent)).toBe(503);
    release();
    const all = await Promise.all(sent);
    expect(all.filter((status) => status === 201)).toHaveLength(65);
  });

  it.each([
    ['first', 16, 'alone'],
    ['first', 4, 'beside another'],
    ['first', 8, 'alone after a long list'],
    ['first', 1, 'beside another after a long list'],
    ['later', 2, 'alone'],
    ['later', 1, 'beside another'],
  ])(
    'turns of requests let %s pages of lists be worked on, %d at a time, of a realm %s, and its other requests pass',
    async (kind, most, company) => {
      const realm = newRealm({ requestsPerSecond: 1_000, requestsPerSecondOfKey: 1_000 });
      const getList = async () => (await gateway.get(`/registration.json?${realm.key}`)).text();
      if (company.endsWith('after a long list')) {
        gateway.contexts.registrations = async (cursor) => ({
          items: [],
          next: cursor === null ? 'more' : null,
        });
        await getList();
      }
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      let pages = 0;
      gateway.contexts.registrations = async (cursor) => {
        if ((cursor === null) === (kind === 'first')) {
          pages += 1;
          await released;
        }
        return { items: [], next: cursor === null ? 'more' : null };
      };
      // Realms of the tests before are no longer active.
      clock.step(1_001);
      if (!company.startsWith('alone')) await gateway.get(`/course.json?${newRealm().key}`);
      const lists = Array.from({ length: most + 2 }, getList);
      await untilWaiting(2);
      expect(pages).toBe(most);
      const other = `/registration/reg-9/launch_url.json?${realm.key}`;
      expect(await gateway.statusOf(other)).toMatchObject({ status: 200 });
      release();
      expect(new Set(await Promise.all(lists))).toEqual(new Set(['[]']));
      expect(pages).toBe(most + 2);
    },
  );

  it.each([
    ['/registration.json?crawl=true', 'enrolment.recrawl-registrations'],
    ['/run.json?name=seats', 'enrolment.run-query'],
    ['/course.json?include_registrations=true', 'catalog.index-courses'],
  ])('never reject the rest of %s after its first request to a context', async (path, first) => {
    const limits = { requestsPerSecond: 1_000, requestsPerSecondOfKey: 1_000, requestsInHand: 2 };
    const { key, pair } = newRealm(limits);
    const { realmId } = callers;
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
    const waiting = Array.from({ length: 65 }, () => gateway.get(`${create}&${pair}`));
    expect((await Promise.race(waiting)).status).toBe(503);
    endFirst();
    await untilWaiting(65);
    endCreates();
    const { status } = await list;
    expect(status).toBe(200);
    await Promise.all([running, ...waiting]);
  });
});
