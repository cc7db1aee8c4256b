import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@registrar/testing';
import { Registry } from 'prom-client';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const realm = 'realm_guid=realm-1&realm_secret_key=realm-secret';
const json = { 'content-type': 'application/json' };
const withoutAccess = 'the body is larger than 64 KiB, and the head of the request shows no access';

interface UploadPiece {
  readonly uploadId: string;
  readonly attemptId: string;
}

describe('malformed and oversized requests', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  /** Sends raw bytes and returns all that the server sends back. */
  const send = async (bytes: string) => {
    const socket = connect(Number(new URL(gateway.base).port), 'localhost');
    await once(socket, 'connect');
    socket.write(bytes);
    return text(socket);
  };
  const get = (path: string) =>
    send(`GET /api/v2${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);

  it('malformed and oversized requests return an empty body that repeats nothing of the request', async () => {
    const answer = await get(`/registration/%zz/launch_url.json?${realm}`);
    expect(answer).toMatch(/^HTTP\/1.1 500 /);
    expect(answer).toMatch(/\r\ncontent-length: 0\r\n[^]*\r\n\r\n$/);
    expect(answer).not.toContain('realm-secret');
    expect(JSON.stringify(gateway.lines())).not.toContain('realm-secret');
    expect(gateway.reasons().at(-1)).toBe(
      'the path is malformed: its percent escapes are not UTF-8',
    );
    const noHttp = await send('no request\r\n\r\n');
    expect(noHttp).toMatch(/^HTTP\/1.1 400 [^{]*\r\ncache-control: no-store\r\n[^{]*\r\n\r\n$/);
    expect(gateway.reasons().at(-1)).toBe('the input is not HTTP');
  });

  it('malformed and oversized requests are problems for a client that asks for them, where the head was read', async () => {
    const accept = { accept: 'application/problem+json' };
    const detailOf = async (path: string, init: RequestInit = {}) => {
      const response = await gateway.get(path, {
        ...init,
        headers: { ...init.headers, ...accept },
      });
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      return ((await response.json()) as { detail: string }).detail;
    };
    const reason = 'the path is malformed: its percent escapes are not UTF-8';
    expect(await detailOf(`/registration/%zz/launch_url.json?${realm}`)).toBe(reason);
    const body = { method: 'POST', body: JSON.stringify({ title: 'x'.repeat(65_536) }) };
    expect(await detailOf('/course.json', { ...body, headers: json })).toBe(withoutAccess);
    expect(await detailOf('/course.json', { method: 'PATCH' })).toMatch(/no method of this path/);
    const problem = 'accept: application/problem+json';
    const noHttp = await send(`GET /course.json HTTP/1.1\r\n${problem}\r\nno header\r\n\r\n`);
    expect(noHttp).toMatch(/^HTTP\/1.1 400 [^{]*\r\n\r\n$/);
  });

  it('malformed and oversized requests return 500 for a query string of 300 kB, and accept one of 200 kB', async () => {
    const title = (length: number) => get(`/course.json?title=${'a'.repeat(length)}`);
    expect(await title(200_000)).toMatch(/^HTTP\/1.1 401 /);
    expect(await title(300_000)).toMatch(/^HTTP\/1.1 500 [^{]*\r\n\r\n$/);
    expect(gateway.reasons().at(-1)).toBe('the URL and the headers are larger than 256 KiB');
  });

  it('malformed and oversized requests return 404 for a GUID in the path that is too long or contains NUL', async () => {
    for (const id of ['a'.repeat(256), 'a'.repeat(5000), 'a%00b']) {
      expect(await gateway.statusOf(`/registration/${id}/launch_url.json`)).toBe(401);
      expect(await gateway.statusOf(`/registration/${id}/launch_url.json?${key}`)).toBe(404);
      expect(await gateway.statusOf(`/course/gupdate/${id}.json?${key}`)).toBe(404);
      const update = `/registration/gupdate/${id}.json?custom=1&${key}`;
      expect(await gateway.statusOf(update)).toBe(404);
    }
    expect(gateway.lines().filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('malformed and oversized requests return 401 for invalid access before 500 for invalid parameters', async () => {
    expect(await gateway.statusOf('/course.json?callback=a(b')).toBe(401);
    expect(await gateway.statusOf('/course.json?title=%00')).toBe(401);
    expect(await gateway.statusOf('/course.json?title=%00&format=pdf')).toBe(406);
    expect(await gateway.statusOf(`/course.json?callback=a(b&${key}`)).toBe(500);
    expect(await gateway.statusOf(`/course.json?callback=a&callback=b&${key}`)).toBe(500);
    expect(await gateway.statusOf(`/course.json?title=%00&${key}`)).toBe(500);
  });

  it('malformed and oversized requests return 401 before 500 for access that may not call the operation', async () => {
    const user = 'api_key=key-of-user';
    expect(await gateway.statusOf(`/invitation.json?bogus=1&${user}`)).toBe(401);
    const post = (path: string, text: string) =>
      gateway.statusOf(path, { method: 'POST', body: new URLSearchParams(text) });
    expect(await post('/invitation.json', user)).toBe(401);
    expect(await post('/realm_user/abc.json', `bogus=1&${user}`)).toBe(401);
    expect(await post('/template.json', user)).toBe(401);
    expect(await post('/course.json', user)).toBe(401);
    expect(await post('/course/knots.json', `bogus=1&${user}`)).toBe(401);
    expect(await post('/api_key.json', `user_email=nobody&${key}`)).toBe(401);
    expect(await post('/course.json', `course_provider_id=9&bogus=1&${key}`)).toBe(401);
    const other = `learner_id=other@example.com&bogus=1&${user}`;
    expect(await gateway.statusOf(`/registration.json?${other}`)).toBe(401);
    expect(await post('/registration.json', other)).toBe(401);
    expect(await gateway.statusOf(`/course.json?bogus=1&${user}`)).toBe(500);
  });

  it('malformed and oversized requests return 401 before 500 for access parameters with different values', async () => {
    const twice = 'api_key=key-of-realm&api_key=other';
    expect(await gateway.statusOf(`/course.json?bogus=1&${twice}`)).toBe(401);
    expect(gateway.reasons().at(-1)).toBe('api_key is given with different values');
    expect(await gateway.statusOf(`/course.json?${realm}&realm_guid=other`)).toBe(401);
    const post = async (body: string, type: string) =>
      (await gateway.post(`/course.json?${key}`, body, { 'content-type': type })).status;
    expect(await post('bogus=1&api_key=other', 'application/x-www-form-urlencoded')).toBe(401);
    expect(await post('{"bogus":1,"api_key":"other"}', 'application/json')).toBe(401);
    const members = '{"bogus":1,"api_key":"key-of-realm","api_key":"other"}';
    expect(await post(members, 'application/json')).toBe(401);
    expect(await gateway.statusOf(`/course.json?api_key=${'a&api_key=b'.repeat(1_001)}`)).toBe(401);
    expect(await gateway.statusOf(`/course.json?${realm}&${twice}`)).toBe(501);
    expect(await gateway.statusOf('/course?format=json&format=xml')).toBe(401);
    expect(await gateway.statusOf(`/course?format=json&format=xml&${key}`)).toBe(500);
    expect(await gateway.statusOf('/course?format=json&format=pdf')).toBe(406);
  });

  it('malformed and oversized requests return 401 before 500 for a body that cannot be read', async () => {
    const broken = { method: 'POST', body: '{', headers: json };
    expect(await gateway.statusOf('/course.json?api_key=wrong', broken)).toBe(401);
    expect(await gateway.statusOf(`/course.json?${key}&${realm}`, broken)).toBe(501);
    expect(await gateway.statusOf(`/course.json?${key}`, broken)).toBe(500);
    // The credentials may be in the body.
    expect(await gateway.statusOf('/course.json', broken)).toBe(500);
  });

  it('malformed and oversized requests return 404 on registration create for data that were not posted, with the reason in the log', async () => {
    const post = (access: string, body: string, type: string) =>
      gateway.statusOf(`/registration.json?${access}`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
    const unreadable = [
      ['{"course_guid":"knots"', 'application/json', 'the body is not valid JSON'],
      ['[1]', 'application/json', 'the body is not a JSON object'],
      [
        '{"a":1}',
        'application/x-www-form-urlencoded',
        /^the body is JSON, but its Content-Type is /,
      ],
      [' \n{"a":1}', 'text/plain;charset=UTF-8', /"text\/plain": send application\/json$/],
      ['<a/>', 'text/xml', /^the Content-Type "text\/xml" is not /],
      ['course_guid=knots', 'text', 'the Content-Type is malformed'],
      ['a=1&'.repeat(1_001), 'application/x-www-form-urlencoded', 'too many parameters'],
      ['', 'application/json', 'course_guid is not given'],
      ['{}', 'application/json', 'course_guid is not given'],
      ['{"course_guid":null}', 'application/json', 'course_guid is not given'],
      ['course_guid=', 'application/x-www-form-urlencoded', 'course_guid is not given'],
    ] as const;
    for (const [body, type, reason] of unreadable) {
      expect([body, await post(key, body, type)]).toEqual([body, 404]);
      expect(gateway.reasons().at(-1)).toEqual(
        typeof reason === 'string' ? reason : expect.stringMatching(reason),
      );
      expect([body, await post('', body, type)]).toEqual([body, 401]);
      expect([body, await post('api_key=wrong', body, type)]).toEqual([body, 401]);
      expect([body, await post(`${key}&${realm}`, body, type)]).toEqual([body, 501]);
    }
    expect(await post('', `{"api_key":"key-of-realm","course_guid":`, 'application/json')).toBe(
      401,
    );
    expect(gateway.received('enrolment.create-registration')).toEqual([]);
    // The query string is no posted data.
    expect(await gateway.statusOf(`/registration/gcreate.json?${key}&${'a&'.repeat(1_000)}`)).toBe(
      500,
    );
  });

  it('malformed and oversized requests return 404 on registration create without course_guid before other parameters are checked', async () => {
    const create = (more: string) => gateway.statusOf(`/registration/gcreate.json?${more}`);
    for (const other of [
      'learner_id=nobody',
      'bogus=1',
      'callback=a(b',
      'fields=bogus',
      '_method=put',
    ]) {
      expect([other, await create(`${other}&${key}`)]).toEqual([other, 404]);
      expect([other, await create(`course_guid=&${other}&${key}`)]).toEqual([other, 404]);
      expect([other, await create(`course_guid=knots&${other}&${key}`)]).toEqual([other, 500]);
    }
    expect(await create(`learner_id=other@example.com&api_key=key-of-user`)).toBe(401);
    expect(await create(`course_guid=&course_guid=knots&${key}`)).toBe(500);
  });

  it('malformed and oversized requests are answered when a multipart form ends within its file', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const disposition = 'content-disposition: form-data; name';
    const fileOf = (name: string) => `--x\r\n${disposition}="${name}"; filename="a"\r\n\r\nabc`;
    const post = (access: string, body: string) =>
      gateway.statusOf(`/course.json?${access}`, { method: 'POST', body, headers });
    expect(await post('api_key=wrong', fileOf('file'))).toBe(401);
    expect(await post('', fileOf('file'))).toBe(401);
    expect(await post(key, fileOf('file'))).toBe(500);
    expect(await post(key, fileOf('other'))).toBe(500);
    expect(await post(key, `${fileOf('file')}\r\n${fileOf('file')}`)).toBe(500);
    expect(await post(key, `--x\r\n${disposition}="title"\r\n\r\nabc`)).toBe(500);
    expect(await gateway.statusOf('/course.json')).toBe(401);
  });

  it('malformed and oversized requests leave their connection open, so that a client that still sends gets the response', async () => {
    const socket = connect(Number(new URL(gateway.base).port), 'localhost');
    const length = 100_000;
    socket.write(
      'POST /api/v2/course.json HTTP/1.1\r\nhost: localhost\r\n' +
        `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`,
    );
    const [refused] = (await once(socket, 'data')) as [Buffer];
    expect(String(refused)).toMatch(/^HTTP\/1\.1 500 /);
    socket.write(' '.repeat(length));
    socket.write('GET /api/v2/unknown HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('malformed and oversized requests are logged with the reason for which the body cannot be read', async () => {
    const reasonOf = async (body: NonNullable<RequestInit['body']>, type?: string) => {
      // A body of bytes gets no Content-Type of its own.
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const response = await gateway.post(`/course.json?${key}`, body, headers);
      expect(response.status).toBe(500);
      // The rest of a body that is too large is logged on its own.
      const id = response.headers.get('x-request-id');
      return gateway.lines().find((line) => line['request_id'] === id)?.['reason'];
    };
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(await reasonOf(bytes('title=a'))).toMatch(/^the body has no Content-Type: /);
    expect(await reasonOf('<a/>', 'text/xml; charset=utf-8')).toMatch(
      /^the Content-Type "text\/xml" is not application\/x-www-form-urlencoded, /,
    );
    const secret = '{"realm_secret_key":"realm-secret';
    expect(await reasonOf(secret, 'application/json')).toBe('the body is not valid JSON');
    expect(await reasonOf(' '.repeat(9 * 1024 * 1024), 'application/json')).toBe(
      'the body is larger than 1 MiB',
    );
    expect(await reasonOf('--x', 'multipart/form-data; boundary=x')).toMatch(
      /^the multipart form cannot be read: /,
    );
    expect(await reasonOf('[1]', 'application/json')).toBe('the body is not a JSON object');
    expect(JSON.stringify(gateway.lines())).not.toContain('realm-secret');
  });

  it('malformed and oversized requests may have a Content-Type without a body', async () => {
    expect((await gateway.get(`/course.json?${key}`, { headers: json })).status).toBe(200);
    expect((await gateway.post(`/api_key.json?${realm}`, '', json)).status).toBe(201);
  });

  it('malformed and oversized requests log one line for an address, and no error, when clients disconnect', async () => {
    const socket = connect(Number(new URL(gateway.base).port), 'localhost');
    const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n`;
    socket.write(
      `POST /api/v2/course.json?${key} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9000000\r\n` +
        `content-type: multipart/form-data; boundary=x\r\n\r\n` +
        head +
        'a'.repeat(600_000),
    );
    await eventually(
      'the catalog receives a piece of the package',
      () => gateway.received('catalog.append-package-piece').length > 0,
    );
    socket.destroy();
    const [piece] = gateway.received('catalog.append-package-piece') as UploadPiece[];
    const { uploadId, attemptId } = piece!;
    await eventually(
      'the upload is discarded',
      () => gateway.received('catalog.discard-upload').length > 0,
    );
    expect(gateway.received('catalog.discard-upload')).toMatchObject([{ uploadId, attemptId }]);
    const line = await eventually('the failed upload is logged', () =>
      gateway.lines().findLast(({ reason }) => String(reason).includes('aborted')),
    );
    expect(line).toMatchObject({
      level: 'info',
      operation: 'course create',
      client_address: expect.any(String),
      request_id: expect.any(String),
    });
    const others = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const other = connect(Number(new URL(gateway.base).port), 'localhost');
        await once(other, 'connect');
        const type = 'content-type: application/json';
        other.write(`POST /api/v2/course.json HTTP/1.1\r\nhost: x\r\n${type}\r\n`);
        other.write('content-length: 60000\r\n\r\n{');
        return other;
      }),
    );
    const before = gateway.lines().length;
    for (const other of others) other.destroy();
    await eventually('the bodies are abandoned', async () => {
      const metrics = gateway.app.get(Registry);
      const arriving = await metrics.getSingleMetric('registrar_http_bodies_arriving')?.get();
      return arriving?.values[0]?.value === 0;
    });
    expect(gateway.lines().slice(before)).toEqual([]);
    expect(gateway.lines().filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('malformed and oversized requests return 500 for more than 1000 values', async () => {
    const values = Array.from({ length: 6_000 }, (_, index) => `a=${index}`).join('&');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await gateway.post('/api_key.json', values, form)).status).toBe(500);
    expect(gateway.reasons()).toContain('too many parameters');
  });

  it('malformed and oversized requests return 500 for a form whose fields exceed the body limit together', async () => {
    const body = new FormData();
    for (const name of ['a', 'b', 'c']) body.set(name, 'x'.repeat(3_000_000));
    expect((await gateway.post(`/api_key.json?${realm}`, body)).status).toBe(500);
    expect(gateway.reasons()).toContain('the body is larger than 8 MiB');
    expect((await gateway.post('/api_key.json', body)).status).toBe(500);
    expect(gateway.reasons()).toContain(withoutAccess);
  });

  it('malformed and oversized requests return 500 for a body of more than 64 KiB without access in the query string', async () => {
    const post = (query: string, fields: Record<string, string>) =>
      gateway.statusOf(`/course/knots.json?${query}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
      });
    const title = { title: 'x'.repeat(140_000) };
    const access = { realm_guid: 'realm-1', realm_secret_key: 'realm-secret' };
    expect(await post('', { ...title, ...access })).toBe(500);
    expect(gateway.reasons()).toContain(withoutAccess);
    expect(await post('api_key=wrong', title)).toBe(401);
    expect(await post(`${key}&${realm}`, title)).toBe(501);
    expect(await post(key, title)).toBe(500);
    expect(gateway.reasons()).toContainEqual(expect.stringMatching(/^malformed parameters: title/));
  });

  it('malformed and oversized requests return 500 for more of a query string or of JSON than the limits allow', async () => {
    const post = (body: string, type: string) =>
      gateway.post(`/course.json?${key}`, body, { 'content-type': type });
    const limits = [
      [() => gateway.get(`/course.json?${key}&${'a&'.repeat(1_000)}`), 'too many parameters'],
      [
        () => gateway.get(`/course.json?${key}&${'a'.repeat(256)}`),
        'the name of a parameter is longer than 255 characters',
      ],
      [
        () => post(`{"a":${'['.repeat(101)}${']'.repeat(101)}}`, 'application/json'),
        'the body is nested more than 100 levels deep',
      ],
      [
        () => gateway.get(`/course.json?${key}&fields=${'a,'.repeat(5_001)}`),
        'fields has more than 10000 characters',
      ],
    ] as const;
    for (const [send, reason] of limits) {
      expect((await send()).status).toBe(500);
      expect(gateway.reasons().at(-1)).toBe(reason);
    }
    // The part that is not read may hold the credentials.
    expect(await gateway.statusOf(`/course.json?${'a&'.repeat(1_001)}${key}`)).toBe(500);
    expect(await gateway.statusOf(`/course.json?api_key=wrong&${'a&'.repeat(1_000)}`)).toBe(401);
    const accept = { accept: `${'a/b,'.repeat(1_000)}text/csv` };
    expect((await gateway.get(`/course?${key}`, { headers: accept })).status).toBe(200);
  });

  it('malformed and oversized requests are logged without the names that may be secrets', async () => {
    const secrets = ['rgk_x', 'rgu_abc', 'k9'.repeat(10), 'aB3-'.repeat(8), 'pass word', 'ä'];
    for (const secret of [...secrets, 'x'.repeat(41)]) {
      const name = encodeURIComponent(secret);
      expect(await gateway.statusOf(`/course.json?${name}&${key}`)).toBe(500);
      expect(gateway.reasons().at(-1)).toBe('unknown parameters: "…"');
      expect(await gateway.statusOf(`/course.json?fields=id,${name}&${key}`)).toBe(500);
      expect(gateway.reasons().at(-1)).toBe('fields contains the unknown name "…"');
    }
    await gateway.get(`/course.json?no_such_parameters&course-guid[2]&${key}`);
    expect(gateway.reasons().at(-1)).toBe(
      'unknown parameters: "no_such_parameters", "course-guid[2]" (do you mean course_guid?)',
    );
  });

  it('malformed and oversized requests return CORS headers unless they carry the secret of a pair', async () => {
    const responses = [
      gateway.get('/nothing'),
      gateway.get('/course.json'),
      gateway.get('/course.json', { method: 'DELETE' }),
      gateway.get('/course.json?realm_guid=realm-1'),
      gateway.get(`/registration/%zz/launch_url.json?${key}`),
      gateway.get(`/course.pdf?${key}`),
      gateway.post(`/registration.json?${key}`, '{"course', json),
    ];
    for (const response of await Promise.all(responses)) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    const secret = [
      gateway.get(`/nothing?${realm}`),
      gateway.get(`/registration/%zz/launch_url.json?${realm}`),
      gateway.get(`/course.pdf?${realm}`),
      gateway.get('/course.json?realm_secret_key=realm-secret'),
      gateway.post('/api_key.json', new URLSearchParams(realm)),
      gateway.post('/registration.json', new URLSearchParams(`${key}&sc_secret_key=a`)),
    ];
    for (const response of await Promise.all(secret)) {
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});
