import { Failure } from '@registrar/contracts';
import { clock, withDeadline } from '@registrar/platform';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { BusMember } from '../bus-member.ts';
import { BusServer } from '../bus-server.ts';
import { type Answer, answerOf, type RequestEnvelope, requestOutcome } from '../envelope.ts';
import { assertSendable, readBody, readJson } from '../message-content.ts';
import type { BusTransport } from '../transport.ts';
import { TransportClient } from '../transport-client.ts';

/**
 * Carries requests to the process that serves a socket (`serveBusSocket`), for an app without
 * handlers. Without such a process they fail with `unavailable`.
 */
export const unixSocketTransport = (path: string): BusTransport => ({
  join: (member) => {
    const client = new SocketClient(path, member);
    return { client, server: new ServerWithoutHandlers(member, client) };
  },
});

class SocketClient extends TransportClient {
  constructor(
    private readonly path: string,
    member: BusMember,
  ) {
    super(member);
  }

  protected async transmit(envelope: RequestEnvelope): Promise<Answer> {
    const { name, deadline } = envelope;
    if (deadline <= clock.now())
      throw new Failure('expired', `${name} was sent after its deadline`);
    const text = JSON.stringify(envelope);
    assertSendable(text, name);
    const end = new AbortController();
    try {
      const content = await withDeadline(post(this.path, text, end.signal), deadline, name);
      const answered = readJson(requestOutcome, content);
      if (!answered) throw new Failure('internal', `the reply to ${name} is malformed`);
      return answerOf(answered);
    } finally {
      end.abort();
    }
  }
}

class ServerWithoutHandlers extends BusServer {
  protected async serve(): Promise<void> {
    const handles = this.handlesRequests || this.events('once').length > 0;
    if (handles) throw new Error('an app that handles requests or events cannot use a socket');
  }

  protected async drain(): Promise<void> {}
}

/** @throws {Failure} `unavailable` when no process serves the socket, or it ends before it replies */
async function post(path: string, text: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const request = httpRequest({ socketPath: path, method: 'POST', agent: false, signal });
    // An error after the response has begun is reported by its body.
    request.on('error', () => undefined).end(text);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return await readBody(response);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure('unavailable', `no reply from ${path} (${code ?? message})`);
  }
}
