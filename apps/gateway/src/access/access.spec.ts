import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '@registrar/contracts';
import { clock } from '@registrar/platform';
import { eventually, scrapeMetrics } from '@registrar/testing';
import {
  type GatewayFixture,
  startGatewayFixture,
  listedRegistration,
  sampleRegistration,
} from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const realm = 'realm_guid=realm-1&realm_secret_key=realm-secret';
const pair = 'sc_app_id=app-1&sc_secret_key=app-secret';
const form = (text: string) => new URLSearchParams(text);

describe('access of a request', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture({ MANAGEMENT_PORT: '0' });
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  it('returns 501 for two access modes, and 401 for a missing, incomplete or wrong one', async () => {
    expect(await gateway.statusOf(`/course.json?${realm}&${key}`)).toBe(501);
    expect((await gateway.get(`/course.json?${realm}&sc_app_id=`)).status).toBe(200);
    expect(await gateway.statusOf('/course.json?color=blue')).toBe(401);
    expect(await gateway.statusOf('/course.json?realm_guid=realm-1')).toBe(401);
    expect(await gateway.statusOf('/course.json?api_key=wrong-key')).toBe(401);
    expect(await gateway.statusOf('/course.json?api_key=key-of-realm&accessToken=other')).toBe(401);
    expect(await gateway.statusOf(`/course.json?api_key=${'k'.repeat(300)}`)).toBe(401);
    expect((await gateway.get('/course.json?accessToken=key-of-realm')).status).toBe(200);
  });

  it('returns 401 for the renewal of a pair, and does not ask identity', async () => {
    for (const access of [realm, pair]) {
      expect(await gateway.statusOf(`/api_key/renew.json?${access}`)).toBe(401);
    }
    expect(gateway.received('identity.renew-api-key')).toEqual([]);
  });

  it('logs the cause of a 401 without any secret', async () => {
    await gateway.get('/course.json?realm_guid=realm-1&realm_secret_key=not-the-secret');
    expect(gateway.reasons()).toContain('the secret is wrong');
    const log = JSON.stringify(gateway.lines());
    expect(log).not.toMatch(/not-the-secret|realm-secret|app-secret|wrong-key/);
  });

  it('caches the access scope of a key until identity announces a change', async () => {
    const path = '/course.json?api_key=key-of-user';
    await Promise.all([gateway.get(path), gateway.get(path), gateway.get(path)]);
    await gateway.get(path);
    expect(gateway.received('identity.resolve-access')).toHaveLength(1);
    await gateway.changeAccess(1);
    await eventually('the gateway looks the key up again', async () => {
      await gateway.get(path);
      return gateway.received('identity.resolve-access').length > 1;
    });
    expect(gateway.received('identity.resolve-access')).toHaveLength(2);
  });

  it('keeps the access scopes of a realm when that of another realm changes, and counts hits and misses', async () => {
    const lookups = async () => {
      const metrics = await scrapeMetrics(gateway.app);
      const count = (outcome: string) =>
        metrics.value('registrar_access_lookups_total', { outcome }) ?? 0;
      return { hit: count('hit'), miss: count('miss') };
    };
    const before = await lookups();
    // The last one shows that the change of realm 2 has arrived.
    for (const access of [realm, 'sc_app_id=app-9&sc_secret_key=app-secret', realm]) {
      await gateway.get(`/course.json?${access}`);
      if (access !== realm) await gateway.changeAccess(2);
    }
    await eventually('the access of realm 2 is looked up again', async () => {
      await gateway.get('/course.json?sc_app_id=app-9&sc_secret_key=app-secret');
      return gateway.received('identity.resolve-access').length > 2;
    });
    await gateway.get(`/course.json?${realm}`);
    expect(gateway.received('identity.resolve-access')).toHaveLength(3);
    const { hit, miss } = await lookups();
    expect(miss - before.miss).toBe(3);
    expect(hit - before.hit).toBeGreaterThanOrEqual(2);
  });

  it('refuses a cached access scope from the millisecond in which it expires', async () => {
    const expiresAt = new Date(clock.now() + 3_600_000).toISOString();
    const scope = gateway.contexts.scopes.get('key-of-realm')!;
    gateway.contexts.scopes.set('key-that-expires', { ...scope, expiresAt });
    const path = '/course.json?api_key=key-that-expires';
    expect((await gateway.get(path)).status).toBe(200);
    vi.spyOn(clock, 'now').mockReturnValue(Date.parse(expiresAt) - 1);
    expect((await gateway.get(path)).status).toBe(200);
    vi.spyOn(clock, 'now').mockReturnValue(Date.parse(expiresAt));
    expect(await gateway.statusOf(path)).toBe(401);
    expect(gateway.reasons().at(-1)).toBe('the access has expired');
    vi.restoreAllMocks();
  });

  it('refuses a key that a request has deleted at the same gateway at once', async () => {
    const path = '/course.json?api_key=key-of-application';
    expect((await gateway.get(path)).status).toBe(200);
    const deleted = await gateway.get('/api_key.json?api_key=key-of-application', {
      method: 'DELETE',
    });
    expect(deleted.status).toBe(200);
    expect(await gateway.statusOf(path)).toBe(401);
  });

  describe('that ends while a list or an upload is under way', () => {
    const item = listedRegistration;
    const path = '/registration.json?api_key=key-that-ends';
    const endAccess = async () => {
      gateway.contexts.scopes.delete('key-that-ends');
      await gateway.changeAccess(1);
    };
    beforeEach(() => {
      gateway.contexts.scopes.set('key-that-ends', gateway.contexts.scopes.get('key-of-realm')!);
    });

    it('breaks off a list of any length', async () => {
      gateway.contexts.registrations = async (cursor) => {
        if (cursor === '3') await endAccess();
        return { items: [item], next: String(Number(cursor) + 1) };
      };
      const reading = gateway.get(path).then((response) => response.text());
      await expect(reading).rejects.toThrow();
      expect(gateway.reasons()).toContain('the secret is wrong');
    });

    it('breaks off an upload, and creates no course', async () => {
      gateway.contexts.receivePiece = async () => {
        await endAccess();
        return {};
      };
      const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n';
      let chunk = Buffer.from(head);
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(chunk);
          chunk = Buffer.alloc(65_536);
        },
      });
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      const status = await gateway
        .get('/course.json?api_key=key-that-ends', {
          method: 'POST',
          body,
          headers,
          duplex: 'half',
        })
        .then(
          (response) => response.status,
          () => 401,
        );
      expect(status).toBe(401);
      expect(gateway.reasons().at(-1)).toBe('the secret is wrong');
      expect(gateway.received('catalog.create-course')).toEqual([]);
    });

    it('sends the rest of a list while identity is unavailable', async () => {
      let lookups = 0;
      gateway.contexts.registrations = async (cursor) => {
        if (cursor === null) {
          gateway.contexts.lookUp = async () => {
            lookups += 1;
            throw new Failure('unavailable', 'identity is unavailable');
          };
          await gateway.changeAccess(1);
        }
        return { items: [item], next: lookups > 0 ? null : String(Number(cursor) + 1) };
      };
      const response = await gateway.get(path);
      expect(await response.json()).toContainEqual(sampleRegistration);
      expect(lookups).toBeGreaterThan(0);
    });
  });

  it('accepts the provider pair in addition to another mode for registration create only', async () => {
    const create = `course_guid=knots&learner_id=learner@example.com`;
    const withPair = await gateway.post('/registration.json', form(`${create}&${realm}&${pair}`));
    expect(withPair.status).toBe(201);
    expect(gateway.received('enrolment.create-registration').at(-1)).toMatchObject({
      applicationId: 1,
      scope: { applicationIds: [1, 2] },
    });
    const foreign = 'sc_app_id=app-9&sc_secret_key=app-secret';
    expect(await gateway.statusOf(`/registration/gcreate.json?${create}&${realm}&${foreign}`)).toBe(
      401,
    );
    const half = `${create}&${realm}&sc_app_id=app-1`;
    expect(await gateway.statusOf(`/registration/gcreate.json?${half}`)).toBe(401);
    expect(await gateway.statusOf(`/registration.json?${realm}&${pair}`)).toBe(501);
  });

  it('warns once of an API key without a user that a browser sends, and of no other access', async () => {
    const origin = { headers: { origin: 'https://app.example.com/?secret=hunter2' } };
    const warnings = () =>
      gateway
        .lines()
        .filter(({ msg }) => String(msg).startsWith('a browser sent an API key'))
        .map((line) => [line['api_key_id'], line['origin']]);
    const before = warnings().length;
    for (const access of [
      'api_key=key-of-user',
      'api_key=key-of-application',
      'api_key=key-of-application',
      realm,
    ]) {
      expect((await gateway.get(`/course.json?${access}`, origin)).status).toBe(200);
    }
    await gateway.get('/course.json?api_key=key-of-realm');
    expect(warnings().slice(before)).toEqual([[12, 'https://app.example.com']]);
  });

  it('sets Access-Control-Allow-Origin for API keys and not for secret pairs', async () => {
    const origin = { headers: { origin: 'https://app.example.com' } };
    const allowed = async (path: string) =>
      (await gateway.get(path, origin)).headers.get('access-control-allow-origin');
    expect(await allowed(`/course.json?${key}`)).toBe('*');
    expect(await allowed('/course.json?api_key=wrong-key')).toBe('*');
    expect(await allowed(`/course.json?${realm}`)).toBeNull();
    const preflight = await gateway.get('/registration.json', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
  });
});
