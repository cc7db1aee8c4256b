import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type FaultPoints } from './fault-points.ts';

/** A proxy of PostgreSQL in which every statement is a fault point. */
export interface StatementProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Messages of PostgreSQL's protocol (manual, 54.7) that end a statement, and the one that ends its response. */
const query = 'Q';
const sync = 'S';
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5]);

/** Starts a proxy in front of the database at `target`. A killed app loses all its connections. */
export async function startStatementProxy(
  target: string,
  points: FaultPoints,
): Promise<StatementProxy> {
  const { hostname, port } = new URL(target);
  /** The connections; `finishing` while the last statement of a killed app still runs. */
  const clients = new Map<Socket, { finishing: boolean }>();
  points.onKill(() => {
    // After the statement of the fault point itself has been forwarded.
    setImmediate(() => {
      for (const [client, { finishing }] of clients) if (!finishing) client.destroy();
    });
  });

  const server = createServer((client) => {
    const state = { finishing: false };
    const upstream = connect(Number(port), hostname);
    clients.set(client, state);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.setNoDelay();
      one.on('error', () => one.destroy());
      one.on('close', () => other.destroy());
    }
    client.on('close', () => clients.delete(client));
    if (points.killed) {
      client.destroy();
      return;
    }
    const messages = new Messages();
    let held: Buffer[] = [];
    client.on('data', (chunk: Buffer) => {
      for (const message of messages.read(chunk)) {
        held.push(message.bytes);
        const isStatement = message.type === query || message.type === sync;
        if (isStatement) {
          const fault = points.next(statementOf(held));
          if (fault === 'not sent') return void client.destroy();
          if (fault === 'not answered') state.finishing = true;
        }
        if (isStatement || !statementMessages.has(message.type)) {
          upstream.write(Buffer.concat(held));
          held = [];
        }
      }
    });
    upstream.on('data', (chunk: Buffer) => {
      if (!state.finishing) client.write(chunk);
      else if (chunk.subarray(-6, -1).equals(readyForQuery)) client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    close: async () => {
      for (const client of clients.keys()) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The messages of a statement: parse, bind, describe, execute, close, flush, and those that end it. */
const statementMessages = new Set(['P', 'B', 'D', 'E', 'C', 'H', query, sync]);

/** Returns the start of a statement's SQL text, which names it in messages. */
const statementOf = (messages: readonly Buffer[]): string =>
  (messages[0] ?? Buffer.alloc(0))
    .subarray(5, 85)
    .toString('latin1')
    .replace(/[\0\s]+/g, ' ')
    .trim();

interface Message {
  /** The type; empty for the first message of a connection, which has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Splits the byte stream of a client into messages. */
class Messages {
  #begun = false;
  #rest: Buffer = Buffer.alloc(0);

  *read(chunk: Buffer): Iterable<Message> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const before = this.#begun ? 1 : 0;
      if (this.#rest.length < before + 4) return;
      const length = before + this.#rest.readInt32BE(before);
      if (this.#rest.length < length) return;
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      yield { type: this.#begun ? String.fromCharCode(bytes[0] ?? 0) : '', bytes };
      this.#begun = true;
    }
  }
}
