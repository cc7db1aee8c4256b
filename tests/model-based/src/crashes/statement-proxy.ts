import type { Socket } from 'node:net';
import { listenBefore, PostgresMessages } from '@registrar/testing';
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
  /** The connections; `finishing` while the last statement of a killed app still runs. */
  const clients = new Map<Socket, { finishing: boolean }>();
  points.onKill(() => {
    // After the statement of the fault point itself has been forwarded.
    setImmediate(() => {
      for (const [client, { finishing }] of clients) if (!finishing) client.destroy();
    });
  });

  const { url, close } = await listenBefore(target, (client, upstream) => {
    const state = { finishing: false };
    clients.set(client, state);
    client.on('close', () => clients.delete(client));
    if (points.killed) {
      client.destroy();
      return;
    }
    const messages = new PostgresMessages('client');
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
  return { url, close };
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
