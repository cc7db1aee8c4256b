import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotateApplicationSecret } from '@registrar/contracts';
import { connectCourseProvider } from '@registrar/course-provider';
import { Database, sql } from '@registrar/persistence';
import { eventually, startTcpProxy } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  Client,
  type ProviderFixture,
  startProviderFixture,
  statusBeforeBody,
} from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.ts';

describe("the provider's API", () => {
  let fixture: ProviderFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startProviderFixture({ contentUrl: 'https://*.content.example.com' });
    client = await fixture.client();
  });
  afterAll(() => fixture?.stop());

  it('answers a ping with the current time', async () => {
    expect(await client.get('ping')).toMatchObject({
      status: 200,
      body: { apiMessage: expect.any(String), currentTime: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
  });

  it('tells browsers to use HTTPS alone when PROVIDER_CONTENT_URL is HTTPS', async () => {
    const { headers } = await client.get('ping');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('accepts a replaced secret key during its overlap alone', async () => {
    const { appId, secretKey: first } = await fixture.client();
    const statusWith = async (secretKey: string) =>
      (await new Client(fixture.url, appId, secretKey).get('courses')).status;
    const rotate = async (secretKey: string, overlapSeconds: number) => {
      await fixture.bus.request(rotateApplicationSecret, { appId, secretKey, overlapSeconds });
    };
    await rotate('the second secret key', 60);
    expect([await statusWith(first), await statusWith('the second secret key')]).toEqual([
      200, 200,
    ]);
    await rotate('the third secret key', 0);
    expect(await statusWith('the third secret key')).toBe(200);
    for (const ended of [first, 'the second secret key']) expect(await statusWith(ended)).toBe(401);
    const unknown = { appId: 'unknown', secretKey: 'a long secret key', overlapSeconds: 0 };
    await expect(fixture.bus.request(rotateApplicationSecret, unknown)).rejects.toThrow(
      'no application unknown',
    );
  });

  it('accepts a changed secret key alone, at once and at every replica, for creates and launch links', async () => {
    const owner = await fixture.client();
    await owner.import('course', await smallestPackage());
    const registration = await owner.register('course');
    const replica = await fixture.replica();
    const learner = { id: 'learner@example.com' };
    /** The statuses of a create and a launch link, at both replicas, and of a create with an invalid body. */
    const statusesOf = async (secretKey: string) => {
      const [here, there] = [fixture.url, replica.url].map(
        (url) => new Client(url, owner.appId, secretKey),
      ) as [Client, Client];
      const create = (client: Client, registrationId: unknown = randomUUID()) =>
        client.sendJson('POST', 'registrations', { courseId: 'course', registrationId, learner });
      const link = (client: Client) =>
        client.sendJson('POST', `registrations/${registration}/launchLink`, {});
      const answers = [create(here), create(there), link(here), link(there), create(there, 1)];
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    const [accepted, refused] = [
      [204, 204, 200, 200, 400],
      [401, 401, 401, 401, 401],
    ];
    const rotate = async (secretKey: string, overlapSeconds: number) => {
      const { appId } = owner;
      await fixture.bus.request(rotateApplicationSecret, { appId, secretKey, overlapSeconds });
    };
    const [first, second, third] = [owner.secretKey, 'the second secret key', 'the third one, new'];
    for (const _again of [1, 2]) expect(await statusesOf(first)).toEqual(accepted);
    await rotate(second, 60);
    for (const key of [first, second, first]) expect(await statusesOf(key)).toEqual(accepted);
    await rotate(third, 0);
    for (const key of [first, second]) expect(await statusesOf(key)).toEqual(refused);
    expect(await statusesOf(third)).toEqual(accepted);
    await replica.stop();
  });

  it('delays failures of an address that guesses, and never valid credentials of that address', async () => {
    const replica = await fixture.replica(undefined, {
      failedAccesses: {
        undelayedOfNetwork: 1,
        undelayedOfAccount: 100,
        firstDelayMs: 1,
        maxDelayMs: 1,
        trustsPeer: () => false,
      },
    });
    for (let guess = 0; guess < 30; guess += 1) {
      const guesser = new Client(replica.url, client.appId, `guess ${guess}`);
      expect((await guesser.get('courses')).status).toBe(401);
    }
    expect((await client.at(replica.url).get('courses')).status).toBe(200);
    await replica.stop();
  });

  it('returns 503 while its database is unavailable, and recovers with it', async () => {
    const database = await startTcpProxy(fixture.databaseUrl);
    const replica = await fixture.replica(database.url);
    const there = client.at(replica.url);
    expect((await there.get('ping')).status).toBe(200);
    database.cut();
    const message = 'The provider is unavailable. Try again later.';
    expect(await there.get('registrations')).toMatchObject({ status: 503, body: { message } });
    database.restore();
    expect((await there.get('registrations')).status).toBe(200);
    await replica.stop();
    await database.close();
  });

  it('returns 400, 413 or 415 with a message for a body that it cannot parse', async () => {
    const post = (type: string, body: string | Uint8Array) =>
      client.send('registrations', { method: 'POST', headers: { 'content-type': type }, body });
    const message = expect.any(String) as unknown;
    expect(await post('application/json', '{"courseId": ')).toMatchObject({
      status: 400,
      body: { message },
    });
    expect(await post('application/json', JSON.stringify('x'.repeat(2_000_000)))).toMatchObject({
      status: 413,
      body: { message },
    });
    expect(await post('text/csv', 'a,b')).toMatchObject({ status: 415, body: { message } });
    expect(await post('application/json', '')).toMatchObject({ status: 400, body: { message } });
    expect(await post('application/json', '{"__proto__": {"a": 1}}')).toMatchObject({
      status: 400,
      body: { message },
    });
    expect(await post('application/json', Buffer.from('{"title": "é"}', 'latin1'))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('not valid UTF-8') },
    });
    expect(await post('application/json; charset=utf-7', '{}')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('"utf-7" is not known') },
    });
    expect(await post(';;', '{}')).toMatchObject({ status: 415, body: { message } });
    expect(fixture.lines().filter(({ level }) => level === 'error')).toEqual([]);
    expect(await post('application/json', '"text"')).toMatchObject({
      status: 400,
      body: { message },
    });
  });

  it('forbids caches to store any answer of the API', async () => {
    const stranger = new Client(fixture.url, 'nobody', 'x');
    const answers = [client.get('ping'), client.get('nothing'), stranger.get('registrations')];
    for (const { status, headers } of await Promise.all(answers)) {
      expect([status, headers.get('cache-control')]).toEqual([status, 'no-store']);
    }
  });

  it('returns 404 with a message for an unknown path, which is no missing item to the adapter', async () => {
    for (const path of ['nothing', 'registrations/1/nothing', 'api/v2/registrations/1']) {
      const { status, body } = await client.get(path);
      const message = 'There is no resource at this path.';
      expect([status, body]).toEqual([404, { message, error: message }]);
    }
    const { appId, secretKey } = client;
    const misled = connectCourseProvider({ baseUrl: `${fixture.url}/wrong`, appId, secretKey });
    await expect(misled.getRegistration('1', 'course')).rejects.toMatchObject({
      fault: { kind: 'unavailable' },
    });
  });

  it('returns 400 for parameters and fields that it does not support, on every route', async () => {
    const id = 'some-id';
    for (const [method, path] of [
      ['GET', 'ping'],
      ['GET', 'courses'],
      ['GET', `courses/${id}`],
      ['GET', `courses/${id}/versions`],
      ['PUT', `courses/${id}/title`],
      ['DELETE', `courses/${id}`],
      ['GET', `courses/${id}/tags`],
      ['POST', 'courses/importJobs/upload'],
      ['GET', `courses/importJobs/${id}`],
      ['GET', 'registrations'],
      ['GET', `registrations/${id}`],
      ['GET', `registrations/${id}/instances`],
      ['POST', `registrations/${id}/instances`],
      ['DELETE', `registrations/${id}/instances/0`],
      ['DELETE', `registrations/${id}/progress`],
      ['DELETE', `registrations/${id}`],
      ['DELETE', `registrations/${id}/launches`],
      ['GET', `registrations/${id}/launchHistory`],
      ['POST', `registrations/${id}/launchLink`],
      ['PUT', `registrations/${id}/tags`],
    ] as const) {
      const { status, body } = await client.send(`${path}?includeEverything=true&courseId=x`, {
        method,
      });
      const message = 'includeEverything: is not supported';
      expect([method, path, status, body]).toEqual([
        ...[method, path, 400, { message, error: message }],
      ]);
    }
    const registration = { courseId: 'x', registrationId: 'y', learner: { id: 'ada' } };
    const create = 'registrations?includeEverything=true';
    expect(await client.sendJson('POST', create, registration)).toMatchObject({
      status: 400,
      body: { message: 'includeEverything: is not supported' },
    });
    for (const [method, path, field] of [
      ['POST', 'registrations', 'xapiRegistrationId'],
      ['POST', `registrations/${id}/launchLink`, 'learnerTags'],
      ['PUT', `courses/${id}/title`, 'description'],
    ] as const) {
      const learner = { id: 'ada', firstName: 'Ada' };
      const valid = { registrations: { courseId: 'x', registrationId: 'y', learner } };
      const known = { ...valid[path as 'registrations'], ...(method === 'PUT' && { title: 'x' }) };
      expect(await client.sendJson(method, path, { ...known, [field]: 'x' })).toMatchObject({
        status: 400,
        body: { message: `${field}: is not supported` },
      });
      // Null asks for nothing: generated clients send it for fields that were not set.
      const { body } = await client.sendJson(method, path, { ...known, [field]: null });
      expect(JSON.stringify(body)).not.toContain('not supported');
    }
  });

  it('returns 400 for NUL in a value, and accepts all other characters', async () => {
    const message = 'A value contains a character that cannot be stored.';
    for (const path of ['registrations/%00', 'courses/%00', 'courses?filter=%00']) {
      expect(await client.get(path)).toMatchObject({ status: 400, body: { message } });
    }
    expect((await client.get('courses/%F0%9F%8E%93%20%25%2F')).body).toMatchObject({
      message: 'Could not find course [🎓 %/]',
    });
    expect((await client.get(`courses/${'x'.repeat(255)}`)).status).toBe(404);
  });

  it('returns 408 when a body or the headers arrive too slowly', async () => {
    const minDataRate = { windowMs: 200, bytes: 1_000 };
    const replica = await fixture.replica(undefined, { headersTimeoutMs: 200, minDataRate });
    const begin = async (...head: string[]) => {
      const socket = connect(Number(new URL(replica.url).port), '127.0.0.1');
      socket.write(
        [...head, 'host: x', 'content-length: 500', ...(head[1] ? ['', '{'] : [])].join('\r\n'),
      );
      return text(socket);
    };
    const upload = `POST /api/v2/courses/importJobs/upload?courseId=x HTTP/1.1`;
    const authorization = `authorization: ${client.authorization}`;
    const answers = [
      begin('POST /api/v2/registrations HTTP/1.1', authorization, 'content-type: application/json'),
      begin(upload, authorization, 'content-type: multipart/form-data; boundary=x'),
      // Without the end of the headers.
      begin('POST /api/v2/registrations HTTP/1.1'),
    ];
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 408 /);
    await replica.stop();
  });

  it('checks credentials before it reads a body, on every route and however its path is written', async () => {
    const statusOf = (path: string, ...headers: string[]) =>
      statusBeforeBody(fixture.url, `POST ${path} HTTP/1.1`, headers);
    const authorization = `authorization: ${client.authorization}`;
    const contentHost = 'host: a-launch.content.example.com';
    for (const path of [
      '/api/v2/registrations',
      '/%61pi/v2/registrations',
      '/api/v2/registrations/x/launchLink',
      '/api/v2/courses/importJobs/upload?courseId=x',
    ]) {
      expect([path, await statusOf(path)]).toEqual([path, 401]);
      expect([path, await statusOf(path, 'authorization: Basic YTpi')]).toEqual([path, 401]);
      expect([path, await statusOf(path, authorization, contentHost)]).toEqual([path, 404]);
      expect([path, await statusOf(path, authorization, 'sec-fetch-site: cross-site')]).toEqual([
        ...[path, 403],
      ]);
    }
    const paused = await fixture.client();
    await fixture.app
      .get(Database)
      .execute(sql`UPDATE applications SET is_paused = true WHERE app_id = ${paused.appId}`);
    const ofPaused = `authorization: ${paused.authorization}`;
    expect(await statusOf('/api/v2/registrations', ofPaused)).toBe(403);
  });

  it('returns 503 with Retry-After to an address that sends too much, on every path', async () => {
    const replica = await fixture.replica(undefined, {
      requestsPerSecondOfAddress: 1,
      trustsPeer: (address) => /127\.0\.0\.1$|^::1$/.test(address),
    });
    const statusFrom = async (address: string, path: string) => {
      const headers = { 'x-forwarded-for': address };
      const { status, headers: answered } = await client.at(replica.url).send(path, { headers });
      return [status, answered.get('retry-after') !== null];
    };
    for (const path of ['nothing', 'ping']) {
      await eventually(`${path} is refused`, async () => {
        const [status, hasRetryAfter] = await statusFrom('203.0.113.1', path);
        return status === 503 && hasRetryAfter;
      });
    }
    expect(await statusFrom('203.0.113.2', 'ping')).toEqual([200, false]);
    expect(await statusFrom('203.0.113.2', 'nothing')).toEqual([404, false]);
    const reason = 'address 203.0.113.1 has reached its limit: requests per second';
    expect(fixture.lines().filter((line) => line['reason'] === reason)).toHaveLength(1);
    await replica.stop();
  });

  it('the provider’s API does not log secret keys or Authorization headers', () => {
    const log = JSON.stringify(fixture.lines());
    expect(log).not.toContain(client.secretKey);
    expect(log).not.toContain(client.authorization);
  });
});
