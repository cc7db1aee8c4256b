import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '@registrar/contracts';
import { eventually, scrapeMetrics } from '@registrar/testing';
import { type GatewayFixture, sampleCourse, startGatewayFixture } from '../gateway.fixture.ts';

describe('metrics of the gateway', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture({ MANAGEMENT_PORT: '0' });
  });
  afterAll(() => gateway.stop());

  it.each([
    ['json', '200', 'none', '/course.json?api_key=key-of-realm'],
    ['xml', '200', 'none', '/course.xml?api_key=key-of-realm'],
    ['csv', '200', 'none', '/course.csv?api_key=key-of-realm'],
    ['jsonp', '200', 'none', '/course.json?api_key=key-of-realm&callback=show'],
    ['none', '401', 'client', '/course.json?api_key=wrong'],
    ['none', '406', 'client', '/course.pdf?api_key=key-of-realm'],
    ['none', '500', 'client', '/course.json?api_key=key-of-realm&bogus=1'],
    ['none', '501', 'client', '/course.json?api_key=key-of-realm&sc_app_id=1'],
    ['none', '500', 'server', '/course.json?api_key=key-of-realm&title=defect'],
    ['none', '503', 'server', '/course.json?api_key=key-of-realm&title=unavailable'],
    ['none', '503', 'client', '/course.json?api_key=key-of-realm&title=limit'],
    ['none', '503', 'provider', '/course.json?api_key=key-of-realm&title=provider'],
  ])(
    'metrics of the gateway count requests by format %s, status %s and fault %s',
    async (format, status, fault, path) => {
      gateway.contexts.courses = async ({ filters }) => {
        if (filters.title === 'defect') throw new Error('a defect');
        if (filters.title === 'limit') throw new Failure('over-limit', 'a budget is spent');
        if (filters.title === 'provider') {
          throw new Failure('unavailable', 'no provider', undefined, { ofProvider: true });
        }
        if (filters.title) throw new Failure('unavailable', 'no database');
        return { items: [sampleCourse], next: null };
      };
      expect((await gateway.get(path)).status).toBe(Number(status));
      const name = 'registrar_http_request_seconds_count';
      const labels = { app: 'gateway', operation: 'course index', format, status, fault };
      // A response is counted just after its last byte.
      const count = await eventually(
        `the ${format} response with status ${status} is counted`,
        async () => (await scrapeMetrics(gateway.app)).value(name, labels),
      );
      expect(count).toBe(1);
    },
  );

  it.each([
    ['read', 'GET', '/registration.json?api_key=key-of-realm'],
    ['crawl', 'GET', '/registration.json?api_key=key-of-realm&crawl=t'],
    ['crawl', 'GET', '/registration/reg-9.json?api_key=key-of-realm&refresh_if_launched=1'],
    ['write', 'POST', '/registration.json?api_key=key-of-realm'],
    ['write', 'GET', '/api_key/gcreate.json?realm_guid=wrong&realm_secret_key=wrong'],
    ['upload', 'GET', '/course/gcreate.json?course_guid=knots&api_key=key-of-realm'],
    ['upload', 'POST', '/course/check.json?api_key=key-of-realm'],
    ['launch', 'GET', '/registration/reg-9/launch_url.json?api_key=key-of-realm'],
  ])(
    'metrics of the gateway count requests of the class %s: %s %s',
    async (requestClass, method, path) => {
      const name = 'registrar_http_request_seconds_count';
      const count = async () =>
        (await scrapeMetrics(gateway.app)).sum(name, { class: requestClass });
      const before = await count();
      await gateway.get(path, { method });
      await eventually('the response is counted', async () => (await count()) === before + 1);
    },
  );

  it('metrics of the gateway count cached lookups of access as hits and requests to identity as misses', async () => {
    const lookups = async (outcome: string) =>
      (await scrapeMetrics(gateway.app)).value('registrar_access_lookups_total', { outcome }) ?? 0;
    const before = { hit: await lookups('hit'), miss: await lookups('miss') };
    await gateway.get('/course.json?api_key=key-of-user');
    await gateway.get('/course.json?api_key=key-of-user');
    expect(await lookups('miss')).toBe(before.miss + 1);
    expect(await lookups('hit')).toBe(before.hit + 1);
  });
});

describe('the log of requests', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());

  it.each([
    ['registration launch_url', 'GET', '/registration/reg-9/launch_url.json'],
    ['template create', 'POST', '/template.json?name=welcome'],
    ['course index', 'GET', '/course.json'],
  ])(
    'a request that was carried out is logged at level info: %s',
    async (operation, method, path) => {
      const access = `${path.includes('?') ? '&' : '?'}api_key=key-of-realm`;
      const { headers, status } = await gateway.get(path + access, { method });
      expect(status).toBeLessThan(300);
      const id = headers.get('x-request-id');
      const line = await eventually('the line is logged', () =>
        gateway
          .lines()
          .find((each) => each['request_id'] === id && each['msg'] === 'request served'),
      );
      expect(line).toMatchObject({
        level: 'info',
        operation,
        status,
        account: expect.stringMatching(/realm \d+/),
        client_address: '127.0.0.1',
      });
      expect(JSON.stringify(line)).not.toContain('key-of-realm');
    },
  );

  it('a refused request has one line, that of the refusal', async () => {
    const { headers } = await gateway.get('/course.json?api_key=wrong');
    const id = headers.get('x-request-id');
    await gateway.get('/course.json?api_key=key-of-realm');
    const lines = gateway.lines().filter((line) => line['request_id'] === id);
    expect(lines).toMatchObject([{ msg: 'request refused', status: 401 }]);
  });
});
