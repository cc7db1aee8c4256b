import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Failure } from '#libs/contracts';
import {
  type GatewayFixture,
  sampleCourse,
  sampleCreated,
  sampleRegistration,
  startGatewayFixture,
} from './gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const realm = 'realm_guid=realm-1&realm_secret_key=realm-secret';
const pair = 'sc_app_id=app-1&sc_secret_key=app-secret';

describe('the gateway', () => {
  let gateway: GatewayFixture;
  let usual: GatewayFixture['contexts'];
  beforeAll(async () => {
    gateway = await startGatewayFixture();
    usual = { ...gateway.contexts };
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    Object.assign(gateway.contexts, usual);
    gateway.contexts.asked = [];
  });

  const get = (path: string, init?: RequestInit) => gateway.get(path, init);
  const post = (
    path: string,
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
  ) => get(path, { method: 'POST', body, headers });
  const form = (text: string) => new URLSearchParams(text);
  const statusOf = async (path: string, init?: RequestInit) => {
    const response = await get(path, init);
    const body = await response.text();
    return body === '' ? response.status : { status: response.status, body };
  };
  const asked = (name: string) =>
    gateway.contexts.asked.filter((each) => each.name === name).map((each) => each.input);
  const reasons = () => gateway.lines().flatMap((line) => line['reason'] ?? []);

  describe('formats', () => {
    const typeOf = async (path: string, headers: Record<string, string> = {}) => {
      const response = await get(path, { headers });
      return { type: response.headers.get('content-type')?.split(';')[0], response };
    };

    it('takes the suffix, else the parameter, else the Accept header, else JSON', async () => {
      const csv = { accept: 'text/csv' };
      expect((await typeOf(`/course.xml?format=json&${key}`, csv)).type).toBe('application/xml');
      expect((await typeOf(`/course?format=json&${key}`, csv)).type).toBe('application/json');
      expect((await typeOf(`/course?${key}`, csv)).type).toBe('text/csv');
      const picky = { accept: 'text/xml;q=0.5, text/csv;q=0.4' };
      expect((await typeOf(`/course?${key}`, picky)).type).toBe('application/xml');
      expect((await typeOf(`/course?${key}`, { accept: 'text/html' })).type).toBe(
        'application/json',
      );
    });

    it('calls a request without a suffix deprecated', async () => {
      const { response } = await typeOf(`/course?${key}`);
      expect(response.headers.get('deprecation')).toMatch(/^@\d+$/);
      expect((await typeOf(`/course.json?${key}`)).response.headers.has('deprecation')).toBe(false);
    });

    it('answers 406 to any other format, before all else', async () => {
      expect(await statusOf('/course.pdf')).toBe(406);
      expect(await statusOf(`/course?format=yaml&${realm}&${pair}`)).toBe(406);
      expect(await statusOf('/registration/x/launch_url.html?colour=blue')).toBe(406);
      const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
      expect(await statusOf('/registration.pdf', broken)).toBe(406);
    });

    it('answers a list in each', async () => {
      const { metadata, ...json } = sampleCourse;
      expect(await (await get(`/course.json?${key}`)).json()).toEqual([json]);
      const xml = await (await get(`/course.xml?${key}`)).text();
      expect(xml).toContain('<courses type="array"><course>');
      expect(xml).toContain('<sc-course-id>knots</sc-course-id>');
      expect(xml).toContain(`<metadata>${metadata}</metadata>`);
      const csv = await (await get(`/course.csv?${key}`)).text();
      expect(csv.split('\r\n')[0]).toBe(Object.keys(json).join(','));
    });

    it('answers an empty list when nothing matches', async () => {
      gateway.contexts.courses = async () => ({ items: [], next: null });
      const response = await get(`/course.json?${key}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await response.text()).toBe('[]');
    });

    it('shows the chosen fields, or a field set', async () => {
      const fields = await get(`/course.json?fields=title,course-guid&${key}`);
      expect(await fields.json()).toEqual([{ course_guid: 'knots', title: 'Knots & ropes' }]);
      const minimum = await get(`/course.json?template=public_minimum&${key}`);
      expect(Object.keys(((await minimum.json()) as object[])[0] ?? {})).toEqual([
        'id',
        'course_guid',
        'title',
      ]);
      expect(await statusOf(`/course.json?fields=colour&${key}`)).toBe(500);
      expect(await statusOf(`/course.json?template=secret&${key}`)).toBe(500);
    });

    it('calls back with JSON for scripts', async () => {
      const response = await get(`/course.json?callback=app.show&fields=id&${key}`);
      expect(response.headers.get('content-type')).toMatch(/^application\/javascript/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await response.text()).toBe('/**/app.show([{"id":3}]);');
      expect(await statusOf(`/course.json?callback=alert(1)&${key}`)).toBe(500);
      await get(`/course?callback=app.show&${realm}`);
      expect(gateway.lines().map((line) => line['msg'])).toContain(
        'a secret was sent to a browser',
      );
    });
  });

  describe('access', () => {
    it('answers 501 to two modes and 401 to none, in part, or a wrong one', async () => {
      expect(await statusOf(`/course.json?${realm}&${key}`)).toBe(501);
      expect((await get(`/course.json?${realm}&sc_app_id=`)).status).toBe(200);
      expect(await statusOf('/course.json?colour=blue')).toBe(401);
      expect(await statusOf('/course.json?realm_guid=realm-1')).toBe(401);
      expect(await statusOf('/course.json?api_key=wrong-key')).toBe(401);
      expect(await statusOf('/course.json?api_key=key-of-realm&accessToken=other')).toBe(401);
      expect(await statusOf(`/course.json?api_key=${'k'.repeat(300)}`)).toBe(401);
      expect((await get('/course.json?accessToken=key-of-realm')).status).toBe(200);
    });

    it('says why in the log, and repeats no secret', async () => {
      await get('/course.json?realm_guid=realm-1&realm_secret_key=not-the-secret');
      expect(reasons()).toContain('the secret is wrong');
      const log = JSON.stringify(gateway.lines());
      expect(log).not.toMatch(/not-the-secret|realm-secret|app-secret|wrong-key/);
    });

    it('asks identity once, until identity says that access changed', async () => {
      const path = '/course.json?api_key=key-of-user';
      await Promise.all([get(path), get(path), get(path)]);
      await get(path);
      expect(asked('access')).toHaveLength(1);
      await gateway.changeAccess(1);
      while (asked('access').length === 1) await get(path);
      expect(asked('access')).toHaveLength(2);
    });

    it('lets the provider pair stand beside another mode on registration create only', async () => {
      const create = `course_guid=knots&learner_id=learner@example.com`;
      const beside = await post('/registration.json', form(`${create}&${realm}&${pair}`));
      expect(beside.status).toBe(201);
      expect(asked('create').at(-1)).toMatchObject({
        applicationId: 1,
        scope: { applicationIds: [1, 2] },
      });
      const foreign = 'sc_app_id=app-9&sc_secret_key=app-secret';
      expect(await statusOf(`/registration/gcreate.json?${create}&${realm}&${foreign}`)).toBe(401);
      const half = `${create}&${realm}&sc_app_id=app-1`;
      expect(await statusOf(`/registration/gcreate.json?${half}`)).toBe(401);
      expect(await statusOf(`/registration.json?${realm}&${pair}`)).toBe(501);
    });

    it('is open to every page for API keys, and to no page for secrets', async () => {
      const origin = { headers: { origin: 'https://app.example.com' } };
      const allowed = async (path: string) =>
        (await get(path, origin)).headers.get('access-control-allow-origin');
      expect(await allowed(`/course.json?${key}`)).toBe('*');
      expect(await allowed('/course.json?api_key=wrong-key')).toBe('*');
      expect(await allowed(`/course.json?${realm}`)).toBeNull();
      const preflight = await get('/registration.json', {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    });
  });

  describe('parameters', () => {
    const created = { course_guid: 'knots', learner_id: 'learner@example.com', fname: 'Ada' };
    const expected = { courseGuid: 'knots', learnerId: 'learner@example.com', firstName: 'Ada' };

    it('come in the query string and in every kind of body', async () => {
      const bodies: RequestInit[] = [
        { body: new URLSearchParams(created) },
        { body: JSON.stringify(created), headers: { 'content-type': 'application/json' } },
      ];
      const multipart = new FormData();
      for (const [name, value] of Object.entries(created)) multipart.set(name, value);
      bodies.push({ body: multipart });
      for (const init of bodies) {
        const response = await get(`/registration.json?${pair}`, { method: 'POST', ...init });
        expect(response.status).toBe(201);
        expect(asked('create').at(-1)).toMatchObject({ ...expected, dontDuplicate: false });
      }
      const query = new URLSearchParams({ ...created, dont_duplicate: 't', check_hosted: '1' });
      expect((await get(`/registration/gcreate.json?${query.toString()}&${pair}`)).status).toBe(
        201,
      );
      expect(asked('create').at(-1)).toMatchObject({ dontDuplicate: true, checkHosted: true });
    });

    it('may be repeated with the same value, and not with another', async () => {
      const twice = (value: string) =>
        post(`/registration.json?course_guid=knots&${pair}`, form(`course_guid=${value}`));
      expect((await post(`/api_key.json?${realm}`, form(realm))).status).toBe(201);
      expect((await twice('ropes')).status).toBe(500);
      expect(await statusOf(`/course.json?title=a&title=b&${key}`)).toBe(500);
    });

    it('are refused when unknown or malformed', async () => {
      expect(await statusOf(`/course.json?colour=blue&${key}`)).toBe(500);
      expect(reasons()).toContain('unknown parameters: "colour"');
      expect((await get(`/course.json?_=123&${key}`)).status).toBe(200);
      expect(await statusOf(`/registration.json?crawl=perhaps&${key}`)).toBe(500);
      expect(await statusOf(`/api_key/gcreate?user_email=nobody&${realm}`)).toBe(500);
      const url = `/registration/reg-9/launch_url.json?${key}&redirect_url=`;
      expect(await statusOf(`${url}javascript:alert(1)`)).toBe(500);
      const json = { 'content-type': 'application/json' };
      expect((await post(`/registration.json?${pair}`, '{"course', json)).status).toBe(500);
      expect((await post(`/registration.json?${pair}`, '[1]', json)).status).toBe(500);
      const xml = { 'content-type': 'text/xml' };
      expect((await post(`/registration.json?${pair}`, '<a/>', xml)).status).toBe(500);
    });

    it('are checked after the access', async () => {
      expect(await statusOf('/course.json?colour=blue')).toBe(401);
      expect(await statusOf(`/course.json?colour=blue&${realm}&${pair}`)).toBe(501);
    });

    it('name one thing by two names, or nothing', async () => {
      expect((await get(`/course.json?id=knots&course_guid=knots&${key}`)).status).toBe(200);
      const both = await get(`/registration.json?id=a&registration_guid=b&${key}`);
      expect(await both.text()).toBe('[]');
      expect(asked('registrations')).toHaveLength(0);
    });
  });

  describe('operations', () => {
    it('makes API keys by four paths', async () => {
      const paths = ['/api_key/gcreate.json', '/api_key/create.json', '/api_key/create'];
      for (const path of paths) expect((await get(`${path}?${realm}`)).status).toBe(201);
      for (const path of ['/api_key.json', '/api_key/create.xml', '/api_key']) {
        expect((await post(path, form(`${realm}&user_email=a@example.com`))).status).toBe(201);
      }
      expect(asked('api key').at(-1)).toMatchObject({ userEmail: 'a@example.com' });
      const record = await (await get(`/api_key/gcreate.json?${realm}`)).json();
      expect(record).toMatchObject({ access_token: 'rgk_token', realm_id: 1, user_id: null });
    });

    it('takes a package in pieces, wherever the other fields stand', async () => {
      const zip = Buffer.alloc(1_300_000, 'registrar');
      const body = new FormData();
      body.set('api_key', 'key-of-realm');
      body.set('file', new Blob([zip]), 'course.zip');
      body.set('title', 'After the file');
      const response = await post('/course.json', body);
      expect(response.status).toBe(201);
      const pieces = asked('piece') as { uploadId: string; index: number; bytes: string }[];
      expect(pieces.map(({ index }) => index)).toEqual([0, 1, 2]);
      const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece.bytes, 'base64')));
      expect(bytes.equals(zip)).toBe(true);
      expect(asked('course')).toMatchObject([
        { title: 'After the file', source: { kind: 'package', uploadId: pieces[0]?.uploadId } },
      ]);
    });

    it('takes no file without access, and none that is not asked for', async () => {
      const file = (more: Record<string, string>) => {
        const body = new FormData();
        for (const [name, value] of Object.entries(more)) body.set(name, value);
        body.set('file', new Blob(['x']), 'course.zip');
        return body;
      };
      expect((await post('/course.json', file({}))).status).toBe(401);
      expect((await post('/registration.json', file({ api_key: 'key-of-realm' }))).status).toBe(
        500,
      );
      expect(asked('piece')).toEqual([]);
    });

    it('registers a course that the provider holds', async () => {
      expect((await get(`/course/gcreate.json?course_guid=knots&${pair}`)).status).toBe(201);
      expect(asked('course')).toMatchObject([
        { applicationId: 1, source: { kind: 'held-by-provider', courseGuid: 'knots' } },
      ]);
      expect(await statusOf(`/course/gcreate.json?title=Knots&${pair}`)).toBe(500);
    });

    it('creates a registration for the learner, or for the user of the key', async () => {
      const answer = await get(`/registration/gcreate.json?course_guid=knots&api_key=key-of-user`);
      expect(await answer.json()).toEqual(sampleCreated);
      expect(asked('create')).toMatchObject([{ learnerId: 'user@example.com' }]);
      expect(await statusOf(`/registration/gcreate.json?course_guid=knots&${pair}`)).toBe(500);
      const nameless = `/registration/gcreate.json?learner_id=a@example.com&${pair}`;
      expect(await statusOf(nameless)).toBe(404);
    });

    it('recrawls before it lists, if told to', async () => {
      await get(`/registration.json?${key}`);
      expect(asked('recrawl')).toEqual([]);
      const list = await get(`/registration.json?crawl=t&course_guid=knots&last_only=1&${key}`);
      expect(await list.json()).toEqual([sampleRegistration]);
      await get(`/registration.json?refresh_if_launched=true&${key}`);
      expect(asked('recrawl')).toMatchObject([
        { which: 'all', lastOnly: true, filters: { courseGuid: 'knots' } },
        { which: 'launched', lastOnly: false },
      ]);
    });

    it('answers a launch URL', async () => {
      const path = `/registration/reg.9%20x/launch_url.json?review=t&tags=a&launching=1&${key}`;
      expect(await (await get(path)).json()).toEqual({
        launch_url: 'http://provider.example.com/launch',
      });
      expect(asked('launch')).toMatchObject([{ registrationGuid: 'reg.9 x', review: true }]);
    });

    it('streams a list of many pages', async () => {
      gateway.contexts.registrations = async (cursor) => {
        const n = Number(cursor ?? 0);
        const items = Array.from({ length: 100 }, (_, i) => ({
          ...sampleRegistration,
          id: n + i + 1,
        }));
        return { items, next: n < 2900 ? String(n + 100) : null } as never;
      };
      const rows = (await (await get(`/registration.json?${key}`)).json()) as { id: number }[];
      expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 3000 }, (_, i) => i + 1));
    });

    it('breaks the answer off when a later page fails', async () => {
      gateway.contexts.registrations = async (cursor) => {
        if (cursor) throw new Failure('unavailable', 'the database is away');
        return { items: [sampleRegistration], next: 'more' } as never;
      };
      const response = await get(`/registration.json?${key}`);
      await expect(response.text()).rejects.toThrow();
    });
  });

  describe('failures', () => {
    const usualCreate = `/registration/gcreate.json?course_guid=knots&learner_id=a@example.com&${pair}`;
    afterEach(() => void Object.assign(gateway.contexts, usual));

    it('become their status with an empty body', async () => {
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
        const response = await get(usualCreate, { redirect: 'manual' });
        expect([response.status, await response.text()]).toEqual([status, '']);
        expect(response.headers.has('retry-after')).toBe(status === 503);
        expect(response.headers.has('location')).toBe(false);
        expect(reasons()).toContain(`it is ${code}`);
      }
    });

    it('at the provider have a body, and for scripts the status 200', async () => {
      const refusal = {
        error_code: '4',
        error_message: 'The maximum number of registrations has been reached.',
        error_url: 'http://provider.example.com/registrations',
      };
      gateway.contexts.create = async () => {
        throw new Failure('refused-by-provider', 'refused', refusal);
      };
      const json = await get(usualCreate);
      expect([json.status, await json.json()]).toEqual([403, refusal]);
      const xml = await get(usualCreate.replace('.json', '.xml'));
      expect(xml.status).toBe(403);
      expect(await xml.text()).toContain('<error><error-code>4</error-code>');
      const script = await get(`${usualCreate}&callback=show`);
      expect(script.status).toBe(200);
      expect(await script.text()).toBe(`/**/show(${JSON.stringify(refusal)});`);
    });

    it('on the first page still become a status', async () => {
      gateway.contexts.courses = async () => {
        throw new Failure('unavailable', 'the catalog is away');
      };
      expect(await statusOf(`/course.csv?${key}`)).toBe(503);
    });

    it('to find a path are 404', async () => {
      expect(await statusOf('/nothing')).toBe(404);
      expect(await statusOf('/course', { method: 'DELETE' })).toBe(404);
    });

    it('carry the id of the request, which a client may choose', async () => {
      const named = await get('/course.json', { headers: { 'x-request-id': 'mine-1' } });
      expect(named.headers.get('x-request-id')).toBe('mine-1');
      expect(gateway.lines().find((line) => line['request_id'] === 'mine-1')).toMatchObject({
        operation: 'course index',
        status: 401,
      });
      const unfit = await get('/course.json', { headers: { 'x-request-id': 'a b' } });
      expect(unfit.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    });
  });
});

describe('a gateway with an address and a list of origins of its own', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture({
      API_ROOT: '/some/prefix/api/v2',
      CORS_ORIGINS: 'https://one.example.com, https://two.example.com',
    });
  });
  afterAll(() => gateway.stop());

  it('answers there, and to pages of those origins', async () => {
    const allowed = async (origin: string) => {
      const response = await gateway.get(`/course.json?${key}`, { headers: { origin } });
      expect(response.status).toBe(200);
      return response.headers.get('access-control-allow-origin');
    };
    expect(await allowed('https://two.example.com')).toBe('https://two.example.com');
    expect(await allowed('https://three.example.com')).toBeNull();
  });
});
