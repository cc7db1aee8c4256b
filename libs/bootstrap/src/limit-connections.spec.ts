import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '@registrar/testing';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { limitConnections } from './limit-connections.ts';

const proxy = '192.0.2.99';

describe('the connections of a server', () => {
  let server: Server;
  let registry: Registry;
  /** What the server takes for the address of the next client: a test has no others than loopback. */
  let address: string;
  let sockets: Socket[];
  /** Responses that have not been sent. */
  let pending: ServerResponse[];

  beforeEach(async () => {
    sockets = [];
    pending = [];
    registry = new Registry();
    server = createServer((_, response) => void pending.push(response));
    server.on('connection', (socket) =>
      Object.defineProperty(socket, 'remoteAddress', { value: address }),
    );
    const trustsPeer = (peer: string) => peer === proxy;
    limitConnections(
      server,
      { maxConnections: 20, maxConnectionsPerAddress: 4, trustsPeer },
      registry,
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const open = async (from: string) => {
    address = from;
    const accepted = once(server, 'connection');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
    await accepted;
    return socket;
  };
  const openAll = async (count: number, from: (at: number) => string) => {
    const opened = [];
    for (let at = 0; at < count; at += 1) opened.push(await open(from(at)));
    return opened;
  };
  /** Sends a request, and resolves when it is being handled. */
  const request = async (socket: Socket) => {
    const count = pending.length;
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await eventually('the request has arrived', async () => pending.length > count);
    return pending.at(-1)!;
  };
  const closedOf = async (all: readonly Socket[], count: number) => {
    await eventually(`${count} connections are closed`, async () => {
      const { values } = await registry
        .getSingleMetric('registrar_http_connections_refused_total')!
        .get();
      return values[0]?.value === count && sockets.filter(({ closed }) => closed).length === count;
    });
    return all.flatMap(({ closed }, at) => (closed ? at : []));
  };

  it('connections beyond the bound of their address take the place of its idle ones, the longest idle first', async () => {
    const all = await openAll(4, () => '192.0.2.1');
    const answered = await request(all[0]!);
    answered.end();
    await once(all[0]!, 'data');
    const later = await openAll(2, () => '192.0.2.1');
    expect(await closedOf([...all, ...later], 2)).toEqual([1, 2]);
  });

  it('connections beyond the bound of their address are closed while the others have requests', async () => {
    const busy = await openAll(4, () => '192.0.2.1');
    for (const socket of busy) await request(socket);
    const later = await openAll(2, () => '192.0.2.1');
    expect(await closedOf([...busy, ...later], 2)).toEqual([4, 5]);
  });

  it('connections of IPv6 networks of 64, 56 and 48 bits count together', async () => {
    const of64 = await openAll(5, (at) => `2001:db8::${at + 1}`);
    expect(await closedOf(of64, 1)).toEqual([0]);
    const of56 = await openAll(5, (at) => `2001:db8:0:${at + 1}::1`);
    expect(await closedOf(of56, 2)).toEqual([4]);
    const of48 = await openAll(9, (at) => `2001:db8:0:${at + 1}00::1`);
    expect(await closedOf(of48, 3)).toEqual([8]);
    expect((await open('2001:db8:1::1')).closed).toBe(false);
  });

  it('idle connections of the address with the most are closed for new ones, the longest idle first', async () => {
    const many = await openAll(16, (at) => `192.0.2.${1 + Math.floor(at / 4)}`);
    const few = await openAll(4, (at) => `198.51.100.${at}`);
    const answered = await request(many[0]!);
    answered.end();
    await once(many[0]!, 'data');
    const others = await openAll(3, (at) => `203.0.113.${at}`);
    expect(await closedOf([...many, ...few, ...others], 3)).toEqual([4, 8, 12]);
  });

  it('idle connections of the largest network are closed first, of the largest one within it', async () => {
    const few = await openAll(12, (at) => `192.0.2.${1 + Math.floor(at / 3)}`);
    const networks = ['2001:db8::1', '2001:db8:0:100::1', '2001:db8:0:200::1', '2001:db8:0:200::1'];
    const subscriber = await openAll(8, (at) => networks[at % 4]!);
    const others = await openAll(2, (at) => `203.0.113.${at}`);
    expect(await closedOf([...few, ...subscriber, ...others], 2)).toEqual([14, 15]);
  });

  it('connections with a request and those of proxies are not closed for others, and of equal addresses one that is longer idle', async () => {
    await openAll(10, () => proxy);
    const busy = await openAll(4, () => '192.0.2.1');
    for (const socket of busy) await request(socket);
    const single = await openAll(6, (at) => `198.51.100.${at}`);
    const newcomers = await openAll(7, (at) => `203.0.113.${at}`);
    expect(await closedOf([...single, ...newcomers], 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect([...sockets.slice(0, 14)].filter(({ closed }) => closed)).toEqual([]);
  });
});
