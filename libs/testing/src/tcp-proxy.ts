import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A way to a server that a suite can make bad, or close by force. */
export interface TcpProxy {
  /** The server's address, by way of the proxy. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Everything takes so many milliseconds longer, each way. */
  delay(milliseconds: number): void;
  /** Carries nothing, and tells nobody: connections stay open, new ones are taken. */
  blackHole(): void;
  /** Carries pieces of so many bytes at most, each in a turn of its own. */
  slice(bytes: number): void;
  /** Ends all of these. What a black hole has kept goes on its way. */
  restore(): void;
  close(): Promise<void>;
}

/** Stands between a suite's clients and the server at `target`, such as `amqp://localhost:5672`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let open = true;
  let latency = 0;
  let pieceBytes = Infinity;
  let way = Promise.withResolvers<void>();
  way.resolve();

  const carry = async (from: Socket, to: Socket) => {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        if (latency > 0) await pause(latency);
        await way.promise;
        if (at > 0) await pause(0);
        if (!to.write(chunk.subarray(at, at + pieceBytes))) await once(to, 'drain');
      }
    }
    to.end();
  };
  const track = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.setNoDelay();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    carry(socket, other).catch(() => other.destroy());
  };
  const server = createServer((client) => {
    if (!open) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    track(client, upstream);
    track(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const breakAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    cut: () => {
      open = false;
      breakAll();
    },
    delay: (milliseconds) => {
      latency = milliseconds;
    },
    blackHole: () => {
      way = Promise.withResolvers();
    },
    slice: (bytes) => {
      pieceBytes = bytes;
    },
    restore: () => {
      open = true;
      latency = 0;
      pieceBytes = Infinity;
      way.resolve();
    },
    close: async () => {
      breakAll();
      way.resolve();
      server.close();
      await once(server, 'close');
    },
  };
}
