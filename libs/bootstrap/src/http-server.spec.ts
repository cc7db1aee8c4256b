import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fastify, { type FastifyInstance } from 'fastify';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { applyHttpRules } from './http-server.ts';

describe('rules of HTTP that Node leaves to a server', () => {
  let server: FastifyInstance;
  let served = 0;

  beforeAll(async () => {
    server = fastify();
    applyHttpRules(server, server.server);
    server.get('/', async () => {
      served += 1;
      return 'served';
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  const get = (...headers: string[]) => {
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(['GET / HTTP/1.1', ...headers, 'connection: close', '', ''].join('\r\n'));
    return text(socket);
  };

  it('a request with several Host headers gets 400, and is not served', async () => {
    for (const hosts of [
      ['host: a', 'host: b'],
      ['host: a', 'Host: a'],
    ]) {
      expect(await get(...hosts)).toMatch(/^HTTP\/1.1 400 /);
    }
    expect(served).toBe(0);
    expect(await get('host: a')).toMatch(/^HTTP\/1.1 200 [^]*served$/);
  });

  it('a request with an unknown Expect is served as one without it', async () => {
    expect(await get('host: a', 'expect: more')).toMatch(/^HTTP\/1.1 200 [^]*served$/);
  });
});
