import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { currentOperation } from '#libs/platform';
import { type GatewayFixture, sampleCreated, startGatewayFixture } from '../gateway.fixture.ts';

const realmKey = 'api_key=key-of-realm';
const wanted = 'course_guid=knots&learner_id=a@example.com';

describe('the idempotency key of a request', () => {
  let gateway: GatewayFixture;
  /** The keys under which registrations were asked for. */
  let keys: (string | undefined)[];

  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.reset();
    keys = [];
    gateway.contexts.create = async () => {
      keys.push(currentOperation()?.idempotencyKey);
      return sampleCreated;
    };
  });

  const create = async (key: string | null, access = realmKey, path = '/registration.json') => {
    const headers = key === null ? {} : { 'idempotency-key': key };
    const init = path.includes('gcreate') ? { headers } : { method: 'POST', headers };
    return (await gateway.get(`${path}?${wanted}&${access}`, init)).status;
  };

  it('is the client’s, for its access and its parameters', async () => {
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

  it('is a new one without the header', async () => {
    for (const _time of [1, 2]) expect(await create(null)).toBe(201);
    expect(keys[0]).toBeDefined();
    expect(keys[1]).not.toBe(keys[0]);
  });

  it.each(['', 'a b', 'x'.repeat(256), 'é'])('is refused when it is malformed: %j', async (key) => {
    expect(await create(key)).toBe(500);
    expect(keys).toEqual([]);
  });

  it('may be sent by pages of other origins', async () => {
    const headers = {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'idempotency-key',
    };
    const preflight = await gateway.get('/registration.json', { method: 'OPTIONS', headers });
    expect(preflight.headers.get('access-control-allow-headers')).toBe('idempotency-key');
  });
});
