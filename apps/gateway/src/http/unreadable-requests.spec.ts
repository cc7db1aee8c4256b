import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const realm = 'realm_guid=realm-1&realm_secret_key=realm-secret';
const json = { 'content-type': 'application/json' };

describe('requests that cannot be read, or hardly', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  /** Sends bytes as they are and answers all that comes back. */
  const send = async (bytes: string) => {
    const socket = connect(Number(new URL(gateway.base).port), 'localhost');
    await once(socket, 'connect');
    socket.write(bytes);
    return text(socket);
  };
  const get = (path: string) =>
    send(`GET /api/v2${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);

  it('are refused without a word of what they hold', async () => {
    const answer = await get(`/registration/%zz/launch_url.json?${realm}`);
    expect(answer).toMatch(/^HTTP\/1.1 500 /);
    expect(answer).toMatch(/\r\ncontent-length: 0\r\n[^]*\r\n\r\n$/);
    expect(answer).not.toContain('realm-secret');
    expect(JSON.stringify(gateway.lines())).not.toContain('realm-secret');
    expect(await send('no request\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^{]*\r\n\r\n$/);
  });

  it('may have a query string of 200 kilobytes, and not a longer one', async () => {
    const title = (length: number) => get(`/course.json?title=${'a'.repeat(length)}`);
    expect(await title(200_000)).toMatch(/^HTTP\/1.1 401 /);
    expect(await title(300_000)).toMatch(/^HTTP\/1.1 500 [^{]*\r\n\r\n$/);
  });

  it('name nothing by a GUID that is too long, or holds a zero character', async () => {
    for (const id of ['a'.repeat(256), 'a'.repeat(5000), 'a%00b']) {
      expect(await gateway.statusOf(`/registration/${id}/launch_url.json`)).toBe(401);
      expect(await gateway.statusOf(`/registration/${id}/launch_url.json?${key}`)).toBe(404);
      expect(await gateway.statusOf(`/course/gupdate/${id}.json?${key}`)).toBe(404);
      const update = `/registration/gupdate/${id}.json?custom=1&${key}`;
      expect(await gateway.statusOf(update)).toBe(404);
    }
    expect(gateway.lines().filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('have their access checked before their parameters', async () => {
    expect(await gateway.statusOf('/course.json?callback=a(b')).toBe(401);
    expect(await gateway.statusOf('/course.json?title=%00')).toBe(401);
    expect(await gateway.statusOf('/course.json?title=%00&format=pdf')).toBe(406);
    expect(await gateway.statusOf(`/course.json?callback=a(b&${key}`)).toBe(500);
    expect(await gateway.statusOf(`/course.json?callback=a&callback=b&${key}`)).toBe(500);
    expect(await gateway.statusOf(`/course.json?title=%00&${key}`)).toBe(500);
  });

  it('may name the type of a body that they do not have', async () => {
    expect((await gateway.get(`/course.json?${key}`, { headers: json })).status).toBe(200);
    expect((await gateway.post(`/api_key.json?${realm}`, '', json)).status).toBe(201);
  });

  it('leave no error behind when their client goes away', async () => {
    const socket = connect(Number(new URL(gateway.base).port), 'localhost');
    const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n`;
    socket.write(
      `POST /api/v2/course.json?${key} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9000000\r\n` +
        `content-type: multipart/form-data; boundary=x\r\n\r\n` +
        head +
        'a'.repeat(600_000),
    );
    while (gateway.asked('piece').length === 0) await turn();
    socket.destroy();
    while (gateway.lines().at(-1)?.['operation'] !== 'course create') await turn();
    expect(gateway.lines().at(-1)).toMatchObject({
      level: 'warn',
      reason: expect.stringContaining('aborted'),
    });
  });

  it('may not have thousands of values', async () => {
    const values = Array.from({ length: 500_000 }, (_, index) => `a=${index}`).join('&');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await gateway.post('/api_key.json', values, form)).status).toBe(500);
    expect(gateway.reasons()).toContain('too many parameters');
  });

  it('may not have a form whose fields are too long together', async () => {
    const body = new FormData();
    for (const name of ['a', 'b', 'c']) body.set(name, 'x'.repeat(3_000_000));
    expect((await gateway.post('/api_key.json', body)).status).toBe(500);
    expect(gateway.reasons()).toContain('the fields of the form are too long');
  });

  it('tell a page that has an API key what became of them', async () => {
    const refused = [
      gateway.get(`/course.pdf?${key}`),
      gateway.post(`/registration.json?${key}`, '{"course', json),
    ];
    for (const response of await Promise.all(refused)) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
  });
});
