import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure, type RequestContract } from '@registrar/contracts';
import { clock } from '@registrar/platform';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  catalogHandlers,
  count,
  crash,
  detail,
  greet,
  refuse,
  unanswered,
  wait,
} from '../bus-apps.fixture.ts';
import { BusClient } from '../bus-client.ts';
import {
  type BusSystem,
  failureOf,
  longTimeMs,
  startBusSystem,
  within,
} from '../bus-system.fixture.ts';
import { inProcessTransport } from '../in-process/in-process-transport.ts';
import { busSocketPath, probeBusSocket } from './socket-path.ts';
import { type BusSocket, serveBusSocket } from './socket-server.ts';
import { unixSocketTransport } from './socket-transport.ts';

describe('a Unix socket to an in-process bus', () => {
  const transport = inProcessTransport();
  let directory: string;
  let path: string;
  let system: BusSystem;
  let socket: BusSocket;
  let bus: BusClient;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bus-'));
    path = busSocketPath(directory);
    // What a killed process and a careless one have left.
    await mkdir(join(directory, 'run'), { mode: 0o777 });
    await writeFile(path, '');
    system = await startBusSystem(transport);
    socket = await serveBusSocket(path, transport);
    const on = { databaseUrl: null, transport: unixSocketTransport(path) };
    bus = (await system.start('operator', [], on)).get(BusClient);
  });
  afterAll(async () => {
    await socket.close();
    await system.stopAll();
    await rm(directory, { recursive: true });
  });

  it('a Unix socket to an in-process bus is accessible to its owner alone', async () => {
    const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
    expect(await modeOf(path)).toBe('600');
    expect(await modeOf(join(directory, 'run'))).toBe('700');
    expect(await probeBusSocket(path)).toBe('listening');
  });

  it('carries the request context of a request, and its reply', async () => {
    const reply = await within(longTimeMs, () => bus.request(greet, { name: 'Ada' }));
    expect(reply).toMatchObject({ text: 'Hello Ada', requestId: 'suite' });
    expect(reply.key).toMatch(/^[\w-]{43}$/);
    expect(reply.deadline).toBeGreaterThan(clock.now());
  });

  it('carries failures with code and detail, and no unexpected error’s message', async () => {
    const refused = await failureOf(bus.request(refuse, {}));
    expect(refused).toBeInstanceOf(Failure);
    expect(refused).toMatchObject({ code: 'refused-by-provider', detail });
    const crashed = await failureOf(bus.request(crash, {}));
    expect(crashed).toMatchObject({ code: 'internal' });
    expect(crashed.message).not.toContain('hunter2');
    const malformed = bus.request(greet, { name: 42 as unknown as string });
    expect(await failureOf(malformed)).toMatchObject({ code: 'invalid' });
    expect(await failureOf(bus.request(unanswered, {}))).toMatchObject({ code: 'unavailable' });
    const unknown = { ...greet, name: 'nowhere.greet' } as unknown as RequestContract;
    expect(await failureOf(bus.request(unknown, {}))).toMatchObject({ code: 'unavailable' });
  });

  it('ends a request at its deadline', async () => {
    const late = within(-1, () => bus.request(greet, { name: 'late' }));
    expect(await failureOf(late)).toMatchObject({ code: 'expired' });
    const slow = within(100, () => bus.request(wait, { until: 'never' }));
    expect(await failureOf(slow)).toMatchObject({ code: 'expired' });
    system.signals.emit('never');
  });

  it('carries lists page by page', async () => {
    const read: number[] = [];
    for await (const { items: page } of bus.pages(count, { to: 25 }, 10)) read.push(...page);
    expect(read).toEqual(Array.from({ length: 25 }, (_item, index) => index));
  });

  it('answers what is no request of the bus with a failure, and serves on', async () => {
    const send = async (method: string, body: string) => {
      const request = httpRequest({ socketPath: path, method, agent: false });
      request.end(body);
      const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
      return JSON.parse(await text(response)) as unknown;
    };
    const invalid = { failure: { code: 'invalid', message: expect.any(String) as unknown } };
    expect(await send('POST', '{"name":"catalog.greet"}')).toEqual(invalid);
    expect(await send('POST', 'hello')).toEqual(invalid);
    expect(await send('GET', '')).toEqual(invalid);
    const noHttp = connect(path);
    noHttp.end('hello\n\n');
    noHttp.resume();
    await once(noHttp, 'close');
    expect(await bus.request(greet, { name: 'Bob' })).toMatchObject({ text: 'Hello Bob' });
  });

  it('rejects a request that is too large before it is sent', async () => {
    const name = 'x'.repeat(16 * 1024 * 1024);
    expect(await failureOf(bus.request(greet, { name }))).toMatchObject({
      code: 'internal',
      message: expect.stringContaining('exceeds the maximum message size') as unknown,
    });
  });

  it('a Unix socket to an in-process bus is not for an app with handlers', async () => {
    const on = { databaseUrl: null, transport: unixSocketTransport(path) };
    await expect(system.start('catalog', [catalogHandlers(system.probe)], on)).rejects.toThrow(
      'cannot use a socket',
    );
  });

  it('completes running requests when it closes, and fails later ones as unavailable', async () => {
    const other = join(directory, 'run', 'other.sock');
    const closing = await serveBusSocket(other, transport);
    const on = { databaseUrl: null, transport: unixSocketTransport(other) };
    const client = (await system.start('gateway', [], on)).get(BusClient);
    const waiting = once(system.signals, 'waiting last words');
    const running = client.request(wait, { until: 'last words' });
    await waiting;
    const closed = closing.close();
    expect(await failureOf(client.request(greet, { name: 'x' }))).toMatchObject({
      code: 'unavailable',
    });
    system.signals.emit('last words');
    expect(await running).toEqual({ released: true });
    await closed;
    expect(await probeBusSocket(other)).toBe('absent');
  });
});

describe('the path of the socket', () => {
  it('the path of the socket is relative where that is shorter, so that a deep working directory does no harm', () => {
    expect(busSocketPath('var')).toBe(join('var', 'run', 'registrar.sock'));
    expect(busSocketPath(join(process.cwd(), 'var'))).toBe(join('var', 'run', 'registrar.sock'));
    const elsewhere = relative(process.cwd(), '/srv');
    expect(busSocketPath(elsewhere)).toBe('/srv/run/registrar.sock');
  });

  it('the path of the socket must fit into the address of a socket, whose length is limited', () => {
    expect(() => busSocketPath(join('/', 'x'.repeat(100)))).toThrow(/DATA_DIR is too long/);
  });
});
