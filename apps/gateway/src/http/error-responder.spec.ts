import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '@registrar/contracts';
import {
  type GatewayFixture,
  startGatewayFixture,
  listedRegistration,
} from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const pair = 'sc_app_id=app-1&sc_secret_key=app-secret';
const rules = '/docs/guides/contract/errors.md';

describe('HEAD requests', () => {
  it('HEAD requests read at most the first two pages of a list', async () => {
    const gateway = await startGatewayFixture();
    const endless = { items: [listedRegistration], next: 'more' };
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

  it('error responses have the status of the failure code and an empty body', async () => {
    const expected = {
      invalid: 500,
      unauthenticated: 401,
      'not-found': 404,
      unchanged: 302,
      unavailable: 503,
      overloaded: 503,
      'over-limit': 503,
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

  it('problems have the reasons of the client’s own failures, and name no part of the service', async () => {
    const reason = 'connect ECONNREFUSED 10.0.0.7:5432';
    const details = {
      invalid: reason,
      'not-found': reason,
      unchanged: reason,
      'over-limit': reason,
      unavailable: 'a service that the request depends on is unavailable',
      overloaded: 'the service has too much to do',
      expired: 'the request was not done before its deadline',
      internal: 'a defect of the service; its log has the cause under the request id',
    } as const;
    const headers = { accept: 'application/problem+json' };
    for (const [code, detail] of Object.entries(details)) {
      gateway.contexts.create = async () => {
        throw new Failure(code as keyof typeof details, reason);
      };
      const response = await gateway.get(usualCreate, { redirect: 'manual', headers });
      expect(await response.json()).toMatchObject({ status: response.status, detail });
      expect(gateway.reasons().at(-1)).toBe(reason);
    }
    gateway.contexts.create = async () => {
      throw new Failure('unavailable', reason, undefined, { ofProvider: true });
    };
    expect(await (await gateway.get(usualCreate, { headers })).json()).toMatchObject({
      type: `${rules}#status-503`,
      detail: 'the course provider is unavailable, slow or refuses its calls',
    });
    gateway.contexts.create = async () => {
      throw new Error(reason);
    };
    expect(await (await gateway.get(usualCreate, { headers })).json()).toMatchObject({
      type: `${rules}#internal-errors`,
      title: 'Internal error',
    });
  });

  it('the reason of a 404 says that the request has a number where a GUID belongs', async () => {
    const hint = 'takes a GUID, and the request has a number, such as an id';
    gateway.contexts.courses = async () => ({ items: [], next: null });
    expect(await gateway.statusOf(`/course/3.json?${key}`)).toBe(404);
    expect(gateway.reasons().at(-1)).toBe(`no such record for this access: the path ${hint}`);
    expect(await gateway.statusOf(`/course/knots-3.json?${key}`)).toBe(404);
    expect(gateway.reasons().at(-1)).toBe('no such record for this access');
    gateway.contexts.create = async () => {
      throw new Failure('not-found', 'no such course');
    };
    expect(await gateway.statusOf(usualCreate.replace('=knots', '=17'))).toBe(404);
    expect(gateway.reasons().at(-1)).toBe(`no such course: course_guid ${hint}`);
  });

  it('error responses repeat the body of a provider error, with status 200 for JSONP', async () => {
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

  it('error responses have the status of a failure on the first page of a list', async () => {
    gateway.contexts.courses = async () => {
      throw new Failure('unavailable', 'the catalog is unavailable');
    };
    expect(await gateway.statusOf(`/course.csv?${key}`)).toBe(503);
  });

  it('break the connection when a later page of a list fails, and log the cause', async () => {
    gateway.contexts.registrations = async (cursor) => {
      if (cursor !== null) throw new Failure('unavailable', 'the second page is unavailable');
      return { items: [listedRegistration], next: 'more' };
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

  it('error responses are 404 for an unknown path, whatever its body is', async () => {
    expect(await gateway.statusOf('/nothing')).toBe(404);
    expect(gateway.reasons().at(-1)).toBe('there is no such path');
    expect((await fetch(new URL('/api/v3/course.json', gateway.base))).status).toBe(404);
    expect(gateway.reasons().at(-1)).toBe(
      'there is no such path: it is not below the API root, /api/v2',
    );
    const json = { 'content-type': 'application/json' };
    expect((await gateway.post('/nothing', '{', json)).status).toBe(404);
  });

  it('error responses name the methods of a path that lacks the one of the request', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const response = await gateway.get('/course.json', { method, body: '{' });
      expect([response.status, await response.text()]).toEqual([404, '']);
      expect(response.headers.get('allow')).toBe('GET, POST, HEAD');
      expect(gateway.reasons().at(-1)).toBe(
        `${method} is no method of this path: it has GET, POST, HEAD`,
      );
    }
  });

  it('error responses for /course/check name the methods of the course with that GUID too', async () => {
    for (const path of ['/course/check', '/course/check.json']) {
      const response = await gateway.get(path, { method: 'PATCH' });
      expect([response.status, await response.text()]).toEqual([404, '']);
      const allow = response.headers.get('allow')?.split(', ').sort();
      expect(allow).toEqual(['DELETE', 'GET', 'HEAD', 'POST', 'PUT']);
    }
  });

  it('error responses are 405 for HEAD where GET writes, and nothing is written', async () => {
    const paths = [
      `/registration/gcreate.json?course_guid=knots&learner_id=a@example.com&${pair}`,
      `/registration/reg-9/launch_url.json?${key}`,
      `/course/gupdate/knots?title=Rope&${key}`,
      `/invitation/add_learners.json?name=spring&${key}`,
      `/initialize.json?${key}`,
    ];
    for (const path of paths) {
      const response = await gateway.get(path, { method: 'HEAD' });
      expect([path, response.status]).toEqual([path, 405]);
      expect(response.headers.get('allow')).toMatch(/^GET(, (PUT|POST|DELETE))*$/);
    }
    expect(gateway.contexts.received).toEqual([]);
    expect((await gateway.get(`/course.json?${key}`, { method: 'HEAD' })).status).toBe(200);
  });

  it('error responses are passed on with method, path and reason, without a query string or a token', async () => {
    const refused = async (path: string) => {
      const response = await gateway.get(path);
      const requestId = response.headers.get('x-request-id');
      return gateway.refused.find((each) => each.requestId === requestId);
    };
    expect(await refused('/course.json?api_key=wrong-key')).toEqual({
      status: 401,
      method: 'GET',
      path: '/api/v2/course.json',
      reason: 'the secret is wrong',
      requestId: expect.any(String),
    });
    const token = 'rgk_u4jC0H4wU1SI-AwymuOxEa0qlbEGE1xRaMqky_KHb-k';
    const mistyped = [`/course.json&api_key=${token}`, `/course.json%3Fapi_key=${token}`];
    for (const path of [...mistyped, `/course/${token}`, `/${token}.json`]) {
      expect(JSON.stringify(await refused(path))).not.toContain('rgk_');
    }
    expect(JSON.stringify(gateway.lines())).not.toContain('rgk_');
  });

  it('error responses are logged with the refused value of a 406', async () => {
    await gateway.get('/course.pdf');
    await gateway.get('/course?format=yaml');
    expect(gateway.reasons().slice(-2)).toEqual([
      'the format "pdf" is not json, xml or csv',
      'the format "yaml" is not json, xml or csv',
    ]);
  });

  it('error responses carry the request id, which is the client’s if it is valid', async () => {
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
