import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

describe('startTcpProxy', () => {
  let server: Server;
  let proxy: TcpProxy;
  /** The data that the server received, chunk by chunk, of each connection: a stray client may find its port. */
  let connections: string[][];
  beforeEach(async () => {
    connections = [];
    server = createServer((socket) => {
      const pieces: string[] = [];
      connections.push(pieces);
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk) => {
        pieces.push(chunk.toString());
        socket.write(chunk);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    proxy = await startTcpProxy(`tcp://127.0.0.1:${port}`);
  });
  afterEach(async () => {
    await proxy.close();
    server.close();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const echo = async (socket: Socket, text: string): Promise<string> => {
    socket.write(text);
    let received = '';
    while (received.length < text.length) received += String((await once(socket, 'data'))[0]);
    return received;
  };

  it('forwards data in both directions', async () => {
    expect(await echo(await open(), 'hello')).toBe('hello');
  });

  it('closes connections when it is cut, and accepts them again after restore', async () => {
    const socket = await open();
    const closed = once(socket, 'close');
    proxy.cut();
    await closed;
    await once(await open(), 'close');
    proxy.restore();
    expect(await echo(await open(), 'back')).toBe('back');
  });

  it('delays data in each direction', async () => {
    const socket = await open();
    proxy.delay(100);
    const begun = performance.now();
    expect(await echo(socket, 'slow')).toBe('slow');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(199);
  });

  it('holds data back as a black hole, and forwards it after restore', async () => {
    const socket = await open();
    expect(await echo(socket, 'before')).toBe('before');
    proxy.blackHole();
    const echoed = echo(socket, 'kept');
    expect(await Promise.race([echoed, pause(50, 'nothing')])).toBe('nothing');
    expect(socket.closed).toBe(false);
    proxy.restore();
    expect(await echoed).toBe('kept');
  });

  it('forwards small pieces when it slices', async () => {
    const socket = await open();
    proxy.slice(2);
    proxy.delay(20);
    expect(await echo(socket, 'abcdefg')).toBe('abcdefg');
    const pieces = connections.find((each) => each.join('') === 'abcdefg');
    // TCP may join pieces when the receiver is late, but never all of them.
    expect(pieces?.length).toBeGreaterThan(1);
  });
});
