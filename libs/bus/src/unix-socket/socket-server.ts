import { clock } from '@registrar/platform';
import { Failure } from '@registrar/contracts';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { drainTimeoutMs } from '../bus-server.ts';
import { type Answer, requestEnvelope, type RequestOutcome } from '../envelope.ts';
import type { InProcessTransport } from '../in-process/in-process-transport.ts';
import { assertSendable, readBody, readJson } from '../message-content.ts';

/** The number of requests at a time, each on a connection of its own. More are refused. */
const maxConnections = 32;
/** The time to receive a request, and to answer it at most: milliseconds. */
const receiveTimeoutMs = 10_000;
const maxHandlingMs = 120_000;

/** A socket that serves the bus of this process. */
export interface BusSocket {
  /** Accepts no more requests, and waits for the running ones, `drainTimeoutMs` at most. */
  close(): Promise<void>;
}

/**
 * Serves the requests of an in-process bus to other processes of the same user: HTTP over a Unix
 * socket with mode 0600, in a directory with mode 0700. Each request is a POST of an envelope. Whoever
 * can open the socket may do what the operator may: its requests are those of the command line.
 *
 * @param path whose file is replaced: the caller must know that no other process serves it
 * @throws a system error when the socket cannot be created
 */
export async function serveBusSocket(path: string, bus: InProcessTransport): Promise<BusSocket> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
  await rm(path, { force: true });
  const server = createServer(
    { requestTimeout: receiveTimeoutMs, headersTimeout: receiveTimeoutMs },
    (request, response) => void respond(bus, request, response),
  );
  server.maxConnections = maxConnections;
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  return {
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      const timer = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

async function respond(
  bus: InProcessTransport,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let text: string;
  try {
    text = JSON.stringify((await dispatch(bus, request)) satisfies RequestOutcome);
    assertSendable(text, 'the reply');
  } catch (error) {
    text = JSON.stringify({ failure: Failure.from(error).toWire() } satisfies RequestOutcome);
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}

async function dispatch(bus: InProcessTransport, request: IncomingMessage): Promise<Answer> {
  if (request.method !== 'POST') throw new Failure('invalid', 'requests are sent with POST');
  const envelope = readJson(requestEnvelope, await readBody(request));
  if (!envelope) throw new Failure('invalid', 'malformed request');
  const deadline = Math.min(envelope.deadline, clock.now() + maxHandlingMs);
  return bus.dispatch({ ...envelope, deadline }, 'operator');
}
