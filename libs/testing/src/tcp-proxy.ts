import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listenBefore } from './listen-before.ts';

/** A TCP proxy that a suite can cut, delay or block. */
export interface TcpProxy {
  /** The server's address, through the proxy. */
  readonly url: string;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /** Delays data by that many milliseconds, in each direction. */
  delay(milliseconds: number): void;
  /** Forwards nothing while connections stay open and new ones are accepted. */
  blackHole(): void;
  /** Forwards data in pieces of at most that many bytes, each in an event-loop turn of its own. */
  slice(bytes: number): void;
  /** Ends every disturbance. Data held back by a black hole is forwarded. */
  restore(): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server at `target`, such as `amqp://localhost:5672`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
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
  const listener = await listenBefore(target, (client, upstream) => {
    if (!open) {
      client.destroy();
      return;
    }
    carry(client, upstream).catch(() => upstream.destroy());
    carry(upstream, client).catch(() => client.destroy());
  });
  return {
    url: listener.url,
    cut: () => {
      open = false;
      listener.breakAll();
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
      listener.breakAll();
      way.resolve();
      await listener.close();
    },
  };
}
