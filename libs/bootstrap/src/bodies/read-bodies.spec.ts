import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '@registrar/contracts';
import fastify, { type FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { joinPieces } from './join-pieces.ts';
import { maxBytes, maxBytesOfStrangers } from './body-limits.ts';
import { readBodies, UnreadableBody } from './read-bodies.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

describe('the bodies of requests', () => {
  let server: FastifyInstance;
  /** The requests whose access was checked. */
  const checked: string[] = [];

  beforeAll(async () => {
    server = fastify();
    readBodies(server, async ({ headers }) => {
      const access = String(headers['authorization']);
      checked.push(access);
      if (access === 'over limit') throw new Failure('over-limit', 'too much');
      return access === 'valid' ? { realmId: 1, key: 'a' } : null;
    });
    server.post('/', async ({ body }) => ({
      body: body instanceof URLSearchParams ? Object.fromEntries(body) : (body ?? 'none'),
    }));
    server.get('/', async () => 'read');
    server.setErrorHandler((error, _request, reply) => {
      const status = error instanceof UnreadableBody ? error.status : 503;
      void reply.code(status).send((error as Error).message);
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  const url = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const post = async (
    type: string,
    body: NonNullable<RequestInit['body']>,
    authorization = 'none',
  ) => {
    checked.length = 0;
    const headers = { ...(type && { 'content-type': type }), authorization };
    const response = await fetch(url(), { method: 'POST', body, headers, duplex: 'half' });
    return [response.status, await response.text()];
  };
  const answered = (body: unknown) => [200, JSON.stringify({ body })];

  it('the bodies of requests are JSON or a form, or none', async () => {
    expect(await post(json, '\ufeff {"a": [1, "€"]} ')).toEqual(answered({ a: [1, '€'] }));
    expect(await post(`${json}; charset=utf-8`, 'null')).toEqual(answered('none'));
    expect(await post(form, 'a=1&b=%E2%82%AC')).toEqual(answered({ a: '1', b: '€' }));
    expect(await post(json, '')).toEqual(answered('none'));
    expect(await post(form, '')).toEqual(answered({}));
  });

  it('the body of a GET is ignored, and its access is not checked for it', async () => {
    checked.length = 0;
    const headers = { 'content-type': json, authorization: 'over limit', 'content-length': '2' };
    const get = request(url(), { method: 'GET', headers }).end('{}');
    const [response] = (await once(get, 'response')) as [IncomingMessage];
    expect([response.statusCode, await textOf(response)]).toEqual([200, 'read']);
    expect(checked).toEqual([]);
  });

  it('the bodies of requests have at most 20,000 members and 100,000 values, and none that is named __proto__', async () => {
    const members = (count: number) =>
      JSON.stringify({ a: Array.from({ length: count - 1 }, () => ({ b: 1 })) });
    expect((await post(json, members(2_000), 'valid'))[0]).toBe(200);
    expect((await post(json, members(20_000), 'valid'))[0]).toBe(200);
    const refused = [400, 'the body has more than 20000 members'];
    expect(await post(json, members(20_001), 'valid')).toEqual(refused);
    const values = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
    expect((await post(json, values(100_000), 'valid'))[0]).toBe(200);
    const tooMany = [400, 'the body has more than 100000 values'];
    expect(await post(json, values(100_001), 'valid')).toEqual(tooMany);
    for (const text of ['{"__proto__": 1}', '[{"a": {"\\u005f_proto__": {"secret": 1}}}]']) {
      expect(await post(json, text)).toEqual([
        400,
        'the body has a member that is named __proto__',
      ]);
    }
    for (const text of ['["__proto__",":"]', '{"a":"\\"__proto__\\":"}', '{"__PROTO__":1}']) {
      expect((await post(json, text))[0]).toBe(200);
    }
  });

  it('the bodies of requests are nested at most 100 levels deep', async () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect((await post(json, nested(100)))[0]).toBe(200);
    const refused = [400, 'the body is nested more than 100 levels deep'];
    expect(await post(json, nested(101))).toEqual(refused);
    // Brackets in a text are no levels.
    expect((await post(json, `{"a":"\\"${'['.repeat(200)}"}`))[0]).toBe(200);
    expect(await post(json, nested(32_000))).toEqual(refused);
  });

  it('bodies that cannot be read are refused with a reason that repeats nothing of them', async () => {
    for (const text of ['{"secret', '[1', '{"a":1}}', ' ']) {
      expect(await post(json, text)).toEqual([400, 'the body is not valid JSON']);
    }
    const types = 'application/x-www-form-urlencoded, multipart/form-data or application/json';
    expect(await post('text/csv', 'a,b')).toEqual([
      415,
      `the Content-Type "text/csv" is not ${types}`,
    ]);
    expect(await post('', new TextEncoder().encode('a'))).toEqual([
      415,
      `the body has no Content-Type: send ${types}`,
    ]);
    expect((await post(form, 'a&'.repeat(1_001)))[1]).toBe('too many parameters');
  });

  /** A form of so many bytes, whose length is announced or not. */
  const large = (bytes: number, isAnnounced: boolean) => {
    const text = `a=${'x'.repeat(bytes - 2)}`;
    return isAnnounced ? text : new Blob([text]).stream();
  };

  it.each([true, false])(
    'the bodies of requests are larger than 64 KiB only with access, and forms 8 MiB at most (length announced: %s)',
    async (isAnnounced) => {
      const send = async (bytes: number, access?: string) =>
        (await post(form, large(bytes, isAnnounced), access))[0];
      expect([await send(maxBytesOfStrangers), checked]).toEqual([200, ['none']]);
      expect([await send(maxBytesOfStrangers + 1), checked]).toEqual([413, ['none']]);
      expect([await send(maxBytes.form, 'valid'), checked]).toEqual([200, ['valid']]);
      expect([await send(maxBytes.form + 1, 'valid'), checked]).toEqual([413, ['valid']]);
      expect([await send(100, 'over limit'), checked]).toEqual([503, ['over limit']]);
    },
  );

  it('the bodies of requests are at most 1 MiB of JSON', async () => {
    const text = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
    expect((await post(json, text(maxBytes.json), 'valid'))[0]).toBe(200);
    const refused = [413, 'the body is larger than 1 MiB'];
    expect(await post(json, text(maxBytes.json + 1), 'valid')).toEqual(refused);
  });

  it('the bodies of requests to an unknown path are not awaited', async () => {
    const endless = new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(10)) });
    const response = await fetch(`${url()}/nothing`, {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: { 'content-type': json },
    });
    expect(response.status).toBe(404);
  });
});

describe('the pieces of a body', () => {
  const joined = async (pieces: readonly string[]) => {
    const lengths: number[] = [];
    async function* bytes() {
      for (const piece of pieces) yield Buffer.from(piece);
    }
    for await (const piece of joinPieces(bytes())) lengths.push(piece.length);
    return lengths;
  };

  it('pieces of single bytes are joined into 16 KiB', async () => {
    expect(await joined([...'a'.repeat(40_000)])).toEqual([16_384, 16_384, 7_232]);
  });

  it('larger pieces stay as they are', async () => {
    expect(await joined(['b'.repeat(20_000)])).toEqual([20_000]);
    expect(await joined(['a=', 'b'.repeat(20_000), 'c'])).toEqual([16_384, 3_619]);
  });
});
