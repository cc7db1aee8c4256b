import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

describe('the TCP proxy', () => {
  let server: Server;
  let proxy: TcpProxy;
  /** What the server has got, in the pieces in which it came. */
  let pieces: string[];
  beforeEach(async () => {
    pieces = [];
    server = createServer((socket) => {
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
  const answer = async (socket: Socket, text: string): Promise<string> => {
    socket.write(text);
    let told = '';
    while (told.length < text.length) told += String((await once(socket, 'data'))[0]);
    return told;
  };

  it('carries what is sent, both ways', async () => {
    expect(await answer(await open(), 'hello')).toBe('hello');
  });

  it('breaks connections when it is cut, takes none, and takes them again', async () => {
    const socket = await open();
    const closed = once(socket, 'close');
    proxy.cut();
    await closed;
    await once(await open(), 'close');
    proxy.restore();
    expect(await answer(await open(), 'back')).toBe('back');
  });

  it('delays', async () => {
    const socket = await open();
    proxy.delay(100);
    const begun = performance.now();
    expect(await answer(socket, 'slow')).toBe('slow');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(199);
  });

  it('keeps everything to itself as a black hole, until it is restored', async () => {
    const socket = await open();
    expect(await answer(socket, 'before')).toBe('before');
    proxy.blackHole();
    const echoed = answer(socket, 'kept');
    expect(await Promise.race([echoed, pause(50, 'nothing')])).toBe('nothing');
    expect(socket.closed).toBe(false);
    proxy.restore();
    expect(await echoed).toBe('kept');
  });

  it('slices', async () => {
    const socket = await open();
    proxy.slice(2);
    expect(await answer(socket, 'abcdefg')).toBe('abcdefg');
    expect(pieces.every((piece) => piece.length <= 2)).toBe(true);
    expect(pieces.join('')).toBe('abcdefg');
  });
});
