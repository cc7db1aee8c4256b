import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clock } from '@registrar/platform';
import { eventually, scrapeMetrics } from '@registrar/testing';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type GatewayFixture,
  startGatewayFixture,
  listedRegistration,
} from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const form = 'content-type: application/x-www-form-urlencoded';
const create = { course_guid: 'knots', learner_id: 'learner@example.com' };
const pair = 'sc_app_id=app-1&sc_secret_key=app-secret';

describe('a gateway whose clients stall', () => {
  let gateway: GatewayFixture;
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** Opens a connection from an address of this machine. */
  const open = async (localAddress: string): Promise<Socket> => {
    const port = Number(new URL(gateway.base).port);
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    return socket;
  };
  /** Sends the head of a POST and the beginning of its body. */
  const begin = async (localAddress: string, path: string, head = form, body = 'a') => {
    const socket = await open(localAddress);
    const length = 'content-length: 60000';
    socket.write(`POST /api/v2${path} HTTP/1.1\r\nhost: x\r\n${length}\r\n${head}\r\n\r\n${body}`);
    return socket;
  };
  const beginMany = (count: number, ...given: Parameters<typeof begin>) =>
    Promise.all(Array.from({ length: count }, () => begin(...given)));
  const isClosed = (socket: Socket) => socket.closed || once(socket.resume(), 'close');

  describe('with the usual limits', () => {
    beforeAll(async () => {
      const settings = { MANAGEMENT_PORT: '0', MAX_CONNECTIONS_PER_ADDRESS: '140' };
      const proxies = { TRUSTED_PROXIES: '127.0.0.9, 10.0.0.0/8' };
      gateway = await startGatewayFixture({ ...settings, ...proxies }, { maxBodies: 131 });
    });
    afterAll(() => gateway.stop());

    it('answers at least 95 % of the requests of other clients', async () => {
      await beginMany(130, '127.0.0.2', '/course.json');
      const statuses: number[] = [];
      for (let round = 0; round < 20; round += 1) {
        const body = new URLSearchParams(create);
        const responses = [
          await gateway.get(`/course.json?${key}`),
          await gateway.post(`/registration.json?${pair}`, body),
          await gateway.post('/api_key.json?api_key=wrong', body),
        ];
        statuses.push(...responses.map(({ status }) => status));
        await Promise.all(responses.map((response) => response.text()));
      }
      const answered = statuses.filter((status) => [200, 201, 401].includes(status));
      expect(answered.length).toBeGreaterThanOrEqual(statuses.length * 0.95);
      // A slot is taken when the request has arrived.
      const inFlight = (await scrapeMetrics(gateway.app)).value('registrar_http_in_flight', {
        kind: 'request',
      });
      expect(inFlight).toBe(0);
    });

    it('closes the longest idle connection for one beyond the bound of its address, except for those of proxies', async () => {
      const oldest = await open('127.0.0.3');
      const those = await Promise.all(Array.from({ length: 139 }, () => open('127.0.0.3')));
      const newest = await open('127.0.0.3');
      await isClosed(oldest);
      const another = await open('127.0.0.4');
      const proxies = await Promise.all(Array.from({ length: 141 }, () => open('127.0.0.9')));
      expect((await gateway.get(`/course.json?${key}`)).status).toBe(200);
      const others = [...those, newest, another, ...proxies];
      expect(others.filter((socket) => socket.closed)).toEqual([]);
      newest.write('GET /health_check HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      expect(await text(newest)).toMatch(/^HTTP\/1.1 200 /);
      const refused = 'registrar_http_connections_refused_total';
      expect((await scrapeMetrics(gateway.app)).value(refused, {})).toBe(1);
    });

    const arriving = async () =>
      (await scrapeMetrics(gateway.app)).value('registrar_http_bodies_arriving', {}) ?? 0;
    beforeEach(async () => {
      await eventually('no body is arriving', async () => (await arriving()) === 0);
    });
    /** Begins bodies in the name of clients behind a proxy, in the order of the clients. */
    const arriveFor = async (...clients: string[]) => {
      const before = await arriving();
      const bodies: Socket[] = [];
      for (const client of clients) {
        const head = `${form}\r\nx-forwarded-for: ${client}`;
        bodies.push(await begin('127.0.0.9', '/course.json', head));
      }
      await eventually(
        'the bodies arrive',
        async () => (await arriving()) === before + clients.length,
      );
      return bodies;
    };
    const times = (count: number, client: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => client(at));

    it('abandons the oldest body of the client with the most when too many arrive', async () => {
      const [oldest] = await arriveFor(
        ...times(70, () => '192.0.2.1'),
        ...times(61, () => '192.0.2.2'),
      );
      const other = await begin('127.0.0.2', `/course.json?api_key=wrong`);
      expect(await text(oldest!)).toMatch(/^HTTP\/1.1 503 [^]*\r\nretry-after: 1\r\n/);
      expect(await arriving()).toBe(131);
      expect(other.closed).toBe(false);
    });

    it('counts the bodies of an IPv6 network together', async () => {
      const address = await arriveFor(...times(60, () => '192.0.2.1'));
      const subscriber = await arriveFor(...times(71, (at) => `2001:db8:0:${at.toString(16)}::1`));
      await begin('127.0.0.2', `/course.json?api_key=wrong`);
      expect(await text(subscriber[0]!)).toMatch(/^HTTP\/1.1 503 /);
      expect([...address, ...subscriber.slice(1)].filter(({ closed }) => closed)).toEqual([]);
    });
  });

  describe('with short times', () => {
    const minDataRate = { windowMs: 1_000, bytes: 100_000 };
    beforeAll(async () => {
      // The timeout of headers is Node's own, which no clock steps.
      gateway = await startGatewayFixture({}, { headersTimeoutMs: 300, minDataRate });
    });
    afterAll(() => gateway.stop());

    /** Steps the clock over windows until the connections have been answered. */
    const answersOf = async (...stalled: Socket[]) => {
      const answers: string[] = [];
      const all = Promise.all(stalled.map(async (socket) => answers.push(await text(socket))));
      await eventually('the connections have been answered', () => {
        clock.step(minDataRate.windowMs);
        return answers.length === stalled.length;
      });
      await all;
      return answers;
    };
    const timedOut = /^HTTP\/1.1 408 [^{]*\r\nconnection: close\r\n[^{]*\r\n\r\n$/;

    it('returns 408 when headers or bodies arrive too slowly', async () => {
      const slowHeaders = await open('127.0.0.2');
      slowHeaders.write('GET /api/v2/course.json HTTP/1.1\r\n');
      const types = ['application/json', 'multipart/form-data; boundary=x'];
      const bodies = await Promise.all([
        begin('127.0.0.2', `/course.json?${key}`),
        ...types.map((type) => begin('127.0.0.2', '/course.json', `content-type: ${type}`, '{')),
        // A file before the access parameters would be 401.
        begin(
          '127.0.0.2',
          `/course.json?${key}`,
          `content-type: ${types[1]}`,
          '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\na',
        ),
      ]);
      for (const response of await answersOf(slowHeaders, ...bodies)) {
        expect(response).toMatch(timedOut);
      }
      expect(gateway.reasons()).toContain(
        'the body brought fewer than 100 kB in 1 s and was not complete',
      );
    });

    it('closes connections whose body does not end after the response', async () => {
      const unknownPath = await begin('127.0.0.2', '/nothing');
      expect((await answersOf(unknownPath))[0]).toMatch(/^HTTP\/1.1 404 /);
    });

    /** Sends a request, and does not read the response to its end. */
    const expectSlowReaderClosed = async (path: string, operation: string) => {
      const reader = await open('127.0.0.2');
      reader.write(`GET /api/v2${path}?${key} HTTP/1.1\r\nhost: x\r\n\r\n`);
      await once(reader, 'readable');
      reader.pause();
      const line = await eventually(`the ${operation} is aborted`, () =>
        gateway
          .lines()
          .find((each) => each['msg'] === 'response aborted' && each['operation'] === operation),
      );
      const reason = 'the client reads the response too slowly';
      expect(line).toMatchObject({ level: 'warn', reason });
      await isClosed(reader);
    };

    it('closes the connection of a client that reads its list too slowly', async () => {
      const row = { ...listedRegistration, custom: 'x'.repeat(60_000) };
      const items = Array.from({ length: 300 }, () => row);
      gateway.contexts.registrations = async () => ({ items, next: 'more' });
      await expectSlowReaderClosed('/registration.json', 'registration index');
    });

    it('closes the connection of a client that reads its record too slowly', async () => {
      const row = { ...listedRegistration, custom: 'x'.repeat(20_000_000) };
      gateway.contexts.registrations = async () => ({ items: [row], next: null });
      await expectSlowReaderClosed('/registration/reg-9.json', 'registration show');
    });

    // In real time: how much arrives in a window is what the test is about.
    it('keeps a body that arrives fast enough, and one that waits for the catalog', async () => {
      const padding = 'a'.repeat(300_000);
      const body = `title=${padding}`;
      const fast = await open('127.0.0.2');
      fast.write(
        `POST /api/v2/course.json?${key} HTTP/1.1\r\nhost: x\r\n${form}\r\nconnection: close\r\n` +
          `content-length: ${body.length + 4}\r\n\r\n${body}`,
      );
      // It times out when the first window of the fast body is over, and the second one is not.
      const stalled = await begin('127.0.0.2', '/course.json');
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      gateway.contexts.receivePiece = async () => {
        await released;
        return {};
      };
      const upload = new FormData();
      upload.set('api_key', 'key-of-realm');
      upload.set('course_guid', 'knots');
      upload.set('file', new Blob(['a'.repeat(2_000_000)]), 'a.zip');
      const uploaded = gateway.post('/course.json', upload);
      expect(await text(stalled)).toMatch(timedOut);
      fast.write('&b=2');
      expect(await text(fast)).toMatch(/^HTTP\/1.1 500 /);
      expect(gateway.reasons().at(-1)).toBe('unknown parameters: "b"');
      expect(await text(await begin('127.0.0.2', '/course.json'))).toMatch(timedOut);
      release();
      expect((await uploaded).status).toBe(201);
    });
  });
});
