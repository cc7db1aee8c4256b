import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '@registrar/contracts';
import { eventually } from '@registrar/testing';
import {
  type GatewayFixture,
  sampleCreated,
  sampleFinding,
  sampleRegistration,
  startGatewayFixture,
  listedRegistration,
} from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const realm = 'realm_guid=realm-1&realm_secret_key=realm-secret';
const pair = 'sc_app_id=app-1&sc_secret_key=app-secret';
const form = (text: string) => new URLSearchParams(text);

describe('the requests that operations send to contexts', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  it('creates API keys on all four routes', async () => {
    const paths = ['/api_key/gcreate.json', '/api_key/create.json', '/api_key/create'];
    for (const path of paths) expect((await gateway.get(`${path}?${realm}`)).status).toBe(201);
    for (const path of ['/api_key.json', '/api_key/create.xml', '/api_key']) {
      expect((await gateway.post(path, form(`${realm}&user_email=a@example.com`))).status).toBe(
        201,
      );
    }
    expect(gateway.received('identity.create-api-key').at(-1)).toMatchObject({
      userEmail: 'a@example.com',
    });
    const record = await (await gateway.get(`/api_key/gcreate.json?${realm}`)).json();
    expect(record).toMatchObject({ access_token: 'rgk_token', realm_id: 1, user_id: null });
  });

  it('uploads a package in pieces, with form fields before and after the file', async () => {
    const zip = Buffer.alloc(1_300_000, 'registrar');
    const body = new FormData();
    body.set('api_key', 'key-of-realm');
    body.set('file', new Blob([zip]), 'course.zip');
    body.set('title', 'After the file');
    const response = await gateway.post('/course.json', body);
    expect(response.status).toBe(201);
    const pieces = gateway.received('catalog.append-package-piece') as {
      uploadId: string;
      index: number;
      bytes: string;
    }[];
    expect(pieces.map(({ index }) => index)).toEqual([0, 1, 2]);
    const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece.bytes, 'base64')));
    expect(bytes.equals(zip)).toBe(true);
    expect(gateway.received('catalog.create-course')).toMatchObject([
      { title: 'After the file', source: { kind: 'package', uploadId: pieces[0]?.uploadId } },
    ]);
  });

  it('discards the upload of a request that fails after its package', async () => {
    const body = new FormData();
    body.set('api_key', 'key-of-realm');
    body.set('file', new Blob(['zip']), 'course.zip');
    body.set('no_such_parameter', '1');
    expect((await gateway.post('/course.json', body)).status).toBe(500);
    expect(gateway.received('catalog.create-course')).toEqual([]);
    const [piece] = gateway.received('catalog.append-package-piece') as {
      uploadId: string;
      attemptId: string;
    }[];
    await eventually(
      'the upload is discarded',
      () => gateway.received('catalog.discard-upload').length > 0,
    );
    const { uploadId, attemptId } = piece!;
    expect(gateway.received('catalog.discard-upload')).toMatchObject([{ uploadId, attemptId }]);
  });

  it('course check sends a package to its check and shows what was found, and the upload is discarded', async () => {
    const body = (more: Record<string, string> = {}) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ api_key: 'key-of-realm', ...more })) {
        form.set(name, value);
      }
      form.set('file', new Blob(['zip']), 'course.zip');
      return form;
    };
    const response = await gateway.post('/course/check.json', body());
    expect([response.status, await response.json()]).toEqual([200, [sampleFinding]]);
    const [{ uploadId } = {}] = gateway.received('provider.check-package') as {
      uploadId?: string;
    }[];
    await eventually(
      'the upload is discarded',
      () => gateway.received('catalog.discard-upload').length > 0,
    );
    expect(gateway.received('catalog.discard-upload')).toMatchObject([{ uploadId }]);
    expect(gateway.received('catalog.create-course')).toEqual([]);
    const csv = await gateway.post('/course/check.csv', body({ fields: 'rule,line' }));
    expect(await csv.text()).toBe('line,rule\r\n9,launch-missing\r\n');
    expect(
      (await gateway.post('/course/check.json', body({ api_key: 'key-of-user' }))).status,
    ).toBe(401);
    expect((await gateway.post('/course/check.json', form('api_key=key-of-realm'))).status).toBe(
      500,
    );
    expect(gateway.reasons().at(-1)).toBe('no package is given');
  });

  it('a course that is named check has its own paths, apart from POST', async () => {
    const access = 'api_key=key-of-realm';
    expect((await gateway.get(`/course/check.json?${access}`)).status).toBe(200);
    expect(gateway.received('catalog.index-courses')).toMatchObject([
      { filters: { courseGuid: 'check' } },
    ]);
    const put = { method: 'PUT', body: form('api_key=key-of-realm&title=Check') };
    expect((await gateway.get('/course/check.json', put)).status).toBe(200);
  });

  it('the problem of a refused package shows what was found in it', async () => {
    gateway.contexts.createCourse = async () => {
      throw new Failure('invalid', 'the course provider refuses the package', undefined, {
        findings: [sampleFinding],
      });
    };
    const body = () => {
      const form = new FormData();
      form.set('api_key', 'key-of-realm');
      form.set('file', new Blob(['zip']), 'course.zip');
      return form;
    };
    const accept = { accept: 'application/problem+json' };
    const response = await gateway.post('/course.json', body(), accept);
    expect([response.status, await response.json()]).toEqual([
      500,
      expect.objectContaining({ findings: [sampleFinding] }),
    ]);
    const plain = await gateway.post('/course.json', body());
    expect([plain.status, await plain.text()]).toEqual([500, '']);
  });

  it('says when a package may be sent again that the realm has no room for', async () => {
    gateway.contexts.receivePiece = () => {
      const retryAfterSeconds = 321;
      throw new Failure('over-limit', 'full', undefined, { retryAfterSeconds });
    };
    const body = new FormData();
    body.set('api_key', 'key-of-realm');
    body.set('file', new Blob(['zip']), 'course.zip');
    const response = await gateway.post('/course.json', body);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '321']);
  });

  it('rejects a file without valid access, and for an operation that accepts none', async () => {
    const file = (more: Record<string, string>) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(more)) body.set(name, value);
      body.set('file', new Blob(['x']), 'course.zip');
      return body;
    };
    expect((await gateway.post('/course.json', file({}))).status).toBe(401);
    expect(gateway.reasons().at(-1)).toMatch(/^the file precedes the access parameters: /);
    const user = { api_key: 'key-of-user' };
    expect((await gateway.post('/course.json', file(user))).status).toBe(401);
    const key = { api_key: 'key-of-realm' };
    expect((await gateway.post('/template.json', file(key))).status).toBe(500);
    expect((await gateway.post('/registration.json', file(key))).status).toBe(401);
    expect((await gateway.post(`/registration.json?${pair}`, file({}))).status).toBe(404);
    expect((await gateway.post('/course', file({ ...key, format: 'pdf' }))).status).toBe(406);
    expect((await gateway.post(`/course.json?${pair}`, file(key))).status).toBe(501);
    expect(gateway.received('catalog.append-package-piece')).toEqual([]);
  });

  it('states the age of data that may be old, in each format', async () => {
    const age = async (path: string) => (await gateway.get(`${path}${key}`)).headers.get('age');
    const paths = [
      '/registration.csv?',
      '/run.xml?name=seats&',
      '/stored_query/run.json?name=seats&',
    ];
    for (const path of paths) expect(await age(path)).toBeNull();
    const page = { items: [listedRegistration], next: null, ageSeconds: 7 };
    gateway.contexts.registrations = async () => page;
    gateway.contexts.resultAge = { ageSeconds: 7 };
    for (const path of paths) expect(await age(path)).toBe('7');
    const pages = [
      { ...page, next: 'more' },
      { ...page, ageSeconds: 9 },
    ];
    gateway.contexts.registrations = async (cursor) => pages[cursor === null ? 0 : 1]!;
    expect(await age('/registration.json?')).toBe('7');
  });

  it('asks for current data when the client refuses old ones, or refreshes them', async () => {
    const wanted = async (path: string, cacheControl?: string) => {
      gateway.reset();
      const headers = cacheControl === undefined ? {} : { 'cache-control': cacheControl };
      expect((await gateway.get(`${path}${key}`, { headers })).status).toBe(200);
      const [list] = gateway.received('enrolment.index-registrations');
      const [run] = gateway.received('enrolment.run-query');
      return (list ?? run) as { mayBeOld?: boolean };
    };
    for (const path of ['/registration.json?', '/run.json?name=seats&']) {
      for (const accepted of [undefined, 'no-store', 'max-age=60', 'max-age=3600, no-transform']) {
        expect(await wanted(path, accepted)).toMatchObject({ mayBeOld: true });
      }
      for (const refused of ['no-cache', 'max-age=0', 'no-store, No-Cache', 'Max-Age=59']) {
        expect(await wanted(path, refused)).toMatchObject({ mayBeOld: false });
      }
    }
    for (const refresh of ['crawl=t', 'refresh_if_launched=t', 'max_age=5']) {
      expect(await wanted(`/registration.json?${refresh}&`)).toMatchObject({ mayBeOld: false });
    }
    expect((await wanted('/registration/reg-9.json?')).mayBeOld).toBeUndefined();
  });

  it('registers a course that the provider already holds', async () => {
    expect((await gateway.get(`/course/gcreate.json?course_guid=knots&${pair}`)).status).toBe(201);
    expect(gateway.received('catalog.create-course')).toMatchObject([
      { applicationId: 1, source: { kind: 'held-by-provider', courseGuid: 'knots' } },
    ]);
    expect(await gateway.statusOf(`/course/gcreate.json?title=Knots&${pair}`)).toBe(500);
  });

  it('creates a registration for learner_id, or for the user of a user-bound key', async () => {
    const answer = await gateway.get(
      `/registration/gcreate.json?course_guid=knots&api_key=key-of-user`,
    );
    expect(await answer.json()).toEqual(sampleCreated);
    expect(gateway.received('enrolment.create-registration')).toMatchObject([
      { learnerId: 'user@example.com' },
    ]);
    expect(await gateway.statusOf(`/registration/gcreate.json?course_guid=knots&${pair}`)).toBe(
      500,
    );
    const nameless = `/registration/gcreate.json?learner_id=a@example.com&${pair}`;
    expect(await gateway.statusOf(nameless)).toBe(404);
    expect(gateway.reasons()).toContain('course_guid is not given');
  });

  it('refreshes registrations before it lists them when `crawl` or `refresh_if_launched` is set', async () => {
    await gateway.get(`/registration.json?${key}`);
    expect(gateway.received('enrolment.recrawl-registrations')).toEqual([]);
    const list = await gateway.get(
      `/registration.json?crawl=t&course_guid=knots&last_only=1&${key}`,
    );
    expect(await list.json()).toEqual([sampleRegistration]);
    await gateway.get(`/registration.json?refresh_if_launched=true&${key}`);
    expect(gateway.received('enrolment.recrawl-registrations')).toMatchObject([
      { which: 'all', lastOnly: true, filters: { courseGuid: 'knots' } },
      { which: 'launched', lastOnly: false },
    ]);
  });

  it('returns a launch URL for a GUID with dots and spaces', async () => {
    const path = `/registration/reg.9%20x/launch_url.json?review=t&tags=a&launching=1&${key}`;
    expect(await (await gateway.get(path)).json()).toEqual({
      launch_url: 'http://provider.example.com/launch',
    });
    expect(gateway.received('enrolment.launch-registration')).toMatchObject([
      { registrationGuid: 'reg.9 x', review: true },
    ]);
  });

  it('streams a list of many pages', async () => {
    gateway.contexts.registrations = async (cursor) => {
      const n = Number(cursor ?? 0);
      const items = Array.from({ length: 100 }, (_, i) => ({
        ...listedRegistration,
        id: n + i + 1,
      }));
      return { items, next: n < 2900 ? String(n + 100) : null };
    };
    const rows = (await (await gateway.get(`/registration.json?${key}`)).json()) as {
      id: number;
    }[];
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 3000 }, (_, i) => i + 1));
  });
});
