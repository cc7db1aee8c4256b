import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Access, createClient, RegistrarError } from './index.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Reply = (response: ServerResponse, received: Received) => void;

const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(value));

const empty =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end();

const disconnect: Reply = (response) => response.destroy();

const api_key = 'rgk_secret-of-the-key';
const realmPair = { realm_guid: 'realm', realm_secret_key: 'secret-of-the-realm' };
const providerPair = { sc_app_id: 'app', sc_secret_key: 'secret-of-the-provider' };

describe('the client', () => {
  let received: Received[];
  let replies: Reply[];
  let baseUrl: string;
  let server: ReturnType<typeof createServer>;
  beforeEach(async () => {
    received = [];
    replies = [];
    server = createServer((request, response) => void answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '', baseUrl);
    const { method = '', headers } = request;
    received.push({ method, path: pathname, query: searchParams, headers, body });
    const reply = replies.shift();
    if (!reply) throw new Error(`no reply is left for ${method} ${pathname}`);
    reply(response, received.at(-1)!);
  }

  const client = (access: Access = { api_key }, retries?: number) =>
    createClient({ baseUrl, access, ...(retries !== undefined && { retries }) });

  const failureOf = async (call: Promise<unknown>): Promise<RegistrarError> => {
    const error: unknown = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof RegistrarError))
      throw new Error(`not a RegistrarError: ${inspect(error)}`);
    return error;
  };

  describe('credentials', () => {
    it.each<[string, Access, string]>([
      ['an API key', { api_key }, `Bearer ${api_key}`],
      ['a realm pair', realmPair, `Basic ${btoa('realm:secret-of-the-realm')}`],
    ])('%s stands in the Authorization header', async (_, access, authorization) => {
      replies.push(json(200, {}));
      await client(access).courses.get({ id: 'knots' });
      expect(received[0]).toMatchObject({ headers: { authorization } });
      expect(received[0]!.query.size).toBe(0);
    });

    it('a provider pair stands in parameters', async () => {
      replies.push(json(200, {}), json(201, {}));
      const { courses, registrations } = client(providerPair);
      await courses.get({ id: 'knots' });
      await registrations.create({ course_guid: 'knots', learner_id: 'a@example.com' });
      expect(Object.fromEntries(received[0]!.query)).toEqual(providerPair);
      expect(received[1]!.query.size).toBe(0);
      expect(JSON.parse(received[1]!.body)).toMatchObject(providerPair);
    });

    it.each<[string, Access]>([
      ['an API key', { api_key }],
      ['a realm pair', realmPair],
      ['a provider pair', providerPair],
    ])('no text, property or cause of an error contains %s', async (_, access) => {
      const texts: string[] = [];
      for (const reply of [empty(401), json(500, { detail: 'wrong' }), disconnect]) {
        replies.push(reply);
        const error = await failureOf(client(access, 0).courses.get({ id: 'knots' }));
        texts.push(
          error.message,
          String(error.stack),
          inspect(error, { depth: 20, showHidden: true }),
        );
      }
      expect(texts.join('\n')).not.toContain('secret-of');
      expect(texts.join('\n')).not.toContain(btoa('realm:secret-of-the-realm'));
    });
  });

  describe('parameters', () => {
    it('parameters that the path names are in it, encoded', async () => {
      replies.push(json(200, {}));
      await client().registrations.launchUrl({ registration_guid: 'a/b c', review: true });
      expect(received[0]).toMatchObject({ path: '/api/v2/registration/a%2Fb%20c/launch_url.json' });
      expect([...received[0]!.query]).toEqual([['review', 'true']]);
    });

    it('a call without a parameter that the path names is refused', async () => {
      const { courses } = client();
      await expect(courses.get({} as { id: string })).rejects.toThrow('id is missing');
    });

    it('lists repeat their name in a query, and objects name parameters', async () => {
      replies.push(json(200, []), json(200, []));
      const registrar = client();
      await Array.fromAsync(registrar.courses.list({ 'course_guid[]': ['a', 'b'] }));
      await registrar.storedQueries.run({ name: 'stuck', parameters: { days: '14' } });
      expect(received[0]!.query.getAll('course_guid[]')).toEqual(['a', 'b']);
      expect([...received[1]!.query]).toEqual([
        ['name', 'stuck'],
        ['days', '14'],
      ]);
    });

    it('parameters of a change are a JSON object', async () => {
      replies.push(json(200, {}));
      const custom = { department: 'sales', levels: [1, 2] };
      await client().registrations.update({ id: 'guid', custom });
      expect(received[0]).toMatchObject({ method: 'PUT', path: '/api/v2/registration/guid.json' });
      expect(JSON.parse(received[0]!.body)).toEqual({ custom });
    });

    it('all parameters stand before a file in a multipart form', async () => {
      replies.push(json(201, {}));
      const file = new Blob(['package']);
      await client(providerPair).courses.create({ file, course_guid: 'knots' });
      const names = [...received[0]!.body.matchAll(/name="(\w+)"/g)].map(([, name]) => name);
      expect(names).toEqual(['sc_app_id', 'sc_secret_key', 'course_guid', 'file']);
    });
  });

  describe('lists', () => {
    it('lists are read page by page, as far as the program reads', async () => {
      const next = (cursor: string) => ({
        link: `</api/v2/course.json?limit=2&cursor=${cursor}>; rel="next"`,
      });
      replies.push(
        json(200, [{ course_guid: 'a' }, { course_guid: 'b' }], next('one')),
        json(200, [{ course_guid: 'c' }]),
      );
      const courses = client().courses.list({ limit: 2 });
      const first = await courses.next();
      expect([first.value?.course_guid, received.length]).toEqual(['a', 1]);
      const others = await Array.fromAsync(courses);
      expect(others.map(({ course_guid }) => course_guid)).toEqual(['b', 'c']);
      expect(received.map(({ query }) => query.get('cursor'))).toEqual([null, 'one']);
    });
  });

  describe('retries', () => {
    const create = () =>
      client().registrations.create({ course_guid: 'knots', learner_id: 'a@example.com' });

    it.each([
      ['503', empty(503, { 'retry-after': '0' })],
      ['504', empty(504, { 'retry-after': '0' })],
      ['a broken connection', disconnect],
    ])('a change is repeated after %s under one idempotency key', async (_, failure) => {
      replies.push(failure, json(201, { registration_guid: 'guid' }));
      expect(await create()).toEqual({ registration_guid: 'guid' });
      const keys = received.map(({ headers }) => headers['idempotency-key']);
      expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
      expect(keys).toEqual([keys[0], keys[0]]);
      expect(received[1]!.body).toBe(received[0]!.body);
    });

    it('a change carries the idempotency key of the program', async () => {
      replies.push(json(200, {}));
      await client().registrations.delete({ id: 'guid' }, { idempotencyKey: 'mine' });
      expect(received[0]!.headers['idempotency-key']).toBe('mine');
    });

    it.each([302, 401, 404, 500, 501])(
      'a request with status %i is not repeated',
      async (status) => {
        replies.push(empty(status));
        expect(await failureOf(create())).toMatchObject({ status });
        expect(received).toHaveLength(1);
      },
    );

    it('retries end after their number, with the last status', async () => {
      replies.push(...Array.from({ length: 5 }, () => empty(503, { 'retry-after': '0' })));
      expect(await failureOf(create())).toMatchObject({ status: 503 });
      expect([received.length, replies.length]).toEqual([5, 0]);
    });
  });

  describe('errors', () => {
    it('an error carries the reason, the rule, the parameter and the request id of the response', async () => {
      const problem = {
        type: '/docs/guides/errors#status-500',
        detail: 'unknown parameters: "titel" (do you mean title?)',
        parameter: 'titel',
      };
      replies.push((response) =>
        response
          .writeHead(500, { 'content-type': 'application/problem+json', 'x-request-id': 'id-1' })
          .end(JSON.stringify(problem)),
      );
      const error = await failureOf(client().courses.get({ id: 'knots' }));
      expect(received[0]!.headers.accept).toBe('application/json, application/problem+json');
      expect(error).toMatchObject({
        ...problem,
        operation: 'courses.get',
        status: 500,
        requestId: 'id-1',
        message: `courses.get: status 500, ${problem.detail} (request id-1)`,
      });
    });

    it('an error without a response says so', async () => {
      replies.push(disconnect);
      const error = await failureOf(client({ api_key }, 0).courses.get({ id: 'knots' }));
      expect(error).toMatchObject({
        status: null,
        requestId: null,
        message: 'courses.get: no connection',
      });
    });

    it('an aborted call rejects with the reason of the signal', async () => {
      const controller = new AbortController();
      replies.push(() => controller.abort(new Error('the page was left')));
      await expect(
        client().courses.get({ id: 'knots' }, { signal: controller.signal }),
      ).rejects.toThrow('the page was left');
    });
  });
});
