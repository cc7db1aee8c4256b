import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { currentRequestContext } from '@registrar/platform';
import { type GatewayFixture, sampleCreated, startGatewayFixture } from '../gateway.fixture.ts';

const realmKey = 'api_key=key-of-realm';
const wanted = 'course_guid=knots&learner_id=a@example.com';

describe('the idempotency key', () => {
  let gateway: GatewayFixture;
  /** The keys of the create requests that enrolment received. */
  let keys: (string | undefined)[];

  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.reset();
    keys = [];
    gateway.contexts.create = async () => {
      keys.push(currentRequestContext()?.idempotencyKey);
      return sampleCreated;
    };
  });

  const create = async (key: string | null, access = realmKey, path = '/registration.json') => {
    const headers = key === null ? {} : { 'idempotency-key': key };
    const init = path.includes('gcreate') ? { headers } : { method: 'POST', headers };
    return (await gateway.get(`${path}?${wanted}&${access}`, init)).status;
  };

  it('depends on the header, the credentials and the operation, and not on the parameters or the route', async () => {
    const other = `${realmKey}&fname=Ada`;
    for (const access of [realmKey, realmKey, 'sc_app_id=app-1&sc_secret_key=app-secret', other]) {
      expect(await create('order-17', access)).toBe(201);
    }
    expect(await create('order-17', realmKey, '/registration/gcreate.json')).toBe(201);
    expect(await create('order-18')).toBe(201);
    const [first, second, elsewhere, another, get, next] = keys;
    expect(second).toBe(first);
    expect(get).toBe(first);
    expect(new Set([first, elsewhere, another, next]).size).toBe(4);
    expect(keys.join()).not.toContain('order');
  });

  it('the idempotency key is random without the header', async () => {
    for (const _time of [1, 2]) expect(await create(null)).toBe(201);
    expect(keys[0]).toBeDefined();
    expect(keys[1]).not.toBe(keys[0]);
  });

  it.each(['', 'a b', 'x'.repeat(256), 'é'])(
    'returns 500 for the malformed header %j',
    async (key) => {
      expect(await create(key)).toBe(500);
      expect(keys).toEqual([]);
    },
  );

  it('the idempotency key is allowed in cross-origin requests', async () => {
    const headers = {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'idempotency-key',
    };
    const preflight = await gateway.get('/registration.json', { method: 'OPTIONS', headers });
    expect(preflight.headers.get('access-control-allow-headers')).toBe('idempotency-key');
  });
});
