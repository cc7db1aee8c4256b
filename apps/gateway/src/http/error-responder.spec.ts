import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Failure } from '@registrar/contracts';
import {
  type GatewayFixture,
  sampleRegistration,
  startGatewayFixture,
} from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const pair = 'sc_app_id=app-1&sc_secret_key=app-secret';

describe('HEAD requests', () => {
  it('read at most the first two pages of a list', async () => {
    const gateway = await startGatewayFixture();
    const endless = { items: [{ ...sampleRegistration, active: true }], next: 'more' };
    gateway.contexts.registrations = async () => endless;
    const response = await gateway.get(`/registration.xml?${key}`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('xml');
    await gateway.stop();
    expect(gateway.received('enrolment.index-registrations').length).toBeLessThanOrEqual(2);
  });
});

describe('error responses', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  const usualCreate = `/registration/gcreate.json?course_guid=knots&learner_id=a@example.com&${pair}`;

  it('have the status of the failure code and an empty body', async () => {
    const expected = {
      invalid: 500,
      unauthenticated: 401,
      'not-found': 404,
      unchanged: 302,
      unavailable: 503,
      overloaded: 503,
      expired: 504,
      internal: 500,
    } as const;
    for (const [code, status] of Object.entries(expected)) {
      gateway.contexts.create = async () => {
        throw new Failure(code as keyof typeof expected, `it is ${code}`);
      };
      const response = await gateway.get(usualCreate, { redirect: 'manual' });
      expect([response.status, await response.text()]).toEqual([status, '']);
      expect(response.headers.has('retry-after')).toBe(status === 503);
      expect(response.headers.has('location')).toBe(false);
      expect(gateway.reasons()).toContain(`it is ${code}`);
    }
  });

  it('repeat the body of a provider error, with status 200 for JSONP', async () => {
    const refusal = {
      error_code: '4',
      error_message: 'The maximum number of registrations has been reached.',
      error_url: 'http://provider.example.com/registrations',
    };
    gateway.contexts.create = async () => {
      throw new Failure('refused-by-provider', 'refused', refusal);
    };
    const json = await gateway.get(usualCreate);
    expect([json.status, await json.json()]).toEqual([403, refusal]);
    const xml = await gateway.get(usualCreate.replace('.json', '.xml'));
    expect(xml.status).toBe(403);
    expect(await xml.text()).toContain('<error><error-code>4</error-code>');
    const script = await gateway.get(`${usualCreate}&callback=show`);
    expect(script.status).toBe(200);
    expect(await script.text()).toBe(`/**/show(${JSON.stringify(refusal)});`);
  });

  it('have the status of a failure on the first page of a list', async () => {
    gateway.contexts.courses = async () => {
      throw new Failure('unavailable', 'the catalog is unavailable');
    };
    expect(await gateway.statusOf(`/course.csv?${key}`)).toBe(503);
  });

  it('break the connection when a later page of a list fails, and log the cause', async () => {
    gateway.contexts.registrations = async (cursor) => {
      if (cursor !== null) throw new Failure('unavailable', 'the second page is unavailable');
      return { items: [{ ...sampleRegistration, active: true }], next: 'more' };
    };
    for (const format of ['json', 'xml', 'csv']) {
      const reading = gateway
        .get(`/registration.${format}?${key}`, { headers: { 'x-request-id': `cut-${format}` } })
        .then((response) => response.text());
      await expect(reading).rejects.toThrow();
      expect(gateway.lines()).toContainEqual(
        expect.objectContaining({
          level: 'warn',
          request_id: `cut-${format}`,
          operation: 'registration index',
          reason: 'the second page is unavailable',
        }),
      );
    }
  });

  it('are 404 for an unknown path or method', async () => {
    expect(await gateway.statusOf('/nothing')).toBe(404);
    expect(await gateway.statusOf('/course', { method: 'DELETE' })).toBe(404);
  });

  it('carry the request id, which is the client’s if it is valid', async () => {
    const named = await gateway.get('/course.json', { headers: { 'x-request-id': 'mine-1' } });
    expect(named.headers.get('x-request-id')).toBe('mine-1');
    expect(gateway.lines().find((line) => line['request_id'] === 'mine-1')).toMatchObject({
      operation: 'course index',
      status: 401,
    });
    const invalid = await gateway.get('/course.json', { headers: { 'x-request-id': 'a b' } });
    expect(invalid.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
