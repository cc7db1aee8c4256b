import { clock } from '@registrar/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import { clientNetwork } from '../client-network.ts';
import type { HttpLimits } from '../http-limits.ts';

/** Why the rest of a body is not awaited, with the status of the response. */
export interface UnfinishedBody {
  readonly status: 408 | 503;
  readonly reason: string;
}

const tooSlow = ({ minDataRate: { windowMs, bytes } }: HttpLimits): UnfinishedBody => {
  const [kilobytes, seconds] = [bytes / 1_000, windowMs / 1_000];
  const reason = `the body brought fewer than ${kilobytes} kB in ${seconds} s and was not complete`;
  return { status: 408, reason };
};

const tooMany: UnfinishedBody = {
  status: 503,
  reason: 'too many bodies are arriving, and this one is the oldest of its address',
};

/** A body that is arriving. */
interface Arrival {
  readonly network: string;
  /** Ends the request with an error, or its connection if the response is under way. */
  abandon(cause: UnfinishedBody): void;
}

/**
 * Ends requests whose bodies arrive too slowly ({@link HttpLimits}). The time in which the app does
 * not read, because it is busy with what has arrived, does not count. Of more bodies than may arrive
 * at a time, the oldest one of the address with the most is abandoned.
 *
 * @param respond sends the error response
 * @returns a function to be called with each request that has a body, before it is read
 */
export function watchBodies(
  limits: HttpLimits,
  registry: Registry,
  respond: (reply: FastifyReply, cause: UnfinishedBody) => void,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const abandoned = new Counter({
    name: 'registrar_http_bodies_abandoned_total',
    help: 'Requests ended because their bodies arrived too slowly (408) or were too many (503).',
    labelNames: ['status'],
    registers: [registry],
  });
  /** By client network, each in the order of arrival. */
  const arrivals = new Map<string, Set<Arrival>>();
  let count = 0;
  new Gauge({
    name: 'registrar_http_bodies_arriving',
    help: 'Bodies of requests that are arriving.',
    registers: [registry],
    collect() {
      this.set(count);
    },
  });

  const remove = (arrival: Arrival) => {
    const others = arrivals.get(arrival.network);
    if (!others?.delete(arrival)) return;
    count -= 1;
    if (others.size === 0) arrivals.delete(arrival.network);
  };

  const abandonOldest = () => {
    const [first, ...others] = arrivals.values();
    if (!first) return;
    const most = others.reduce((a, b) => (b.size > a.size ? b : a), first);
    const [oldest] = most;
    oldest?.abandon(tooMany);
  };

  return (request, reply) => {
    if (count >= limits.maxBodies) abandonOldest();
    const { raw } = request;
    const { socket } = raw;
    const network = clientNetwork(request.ip);
    let received = socket.bytesRead;
    let wasWaiting = true;
    let isDiscarded = false;
    let isStopped = false;

    const abandon = (cause: UnfinishedBody) => {
      stop();
      abandoned.inc({ status: cause.status });
      if (reply.raw.headersSent) socket.destroy();
      // Node closes the connection once the response is sent.
      else respond(reply.header('connection', 'close'), cause);
    };
    const arrival: Arrival = { network, abandon };
    const check = () => {
      const isWaiting = raw.readableLength === 0;
      // An app that has just begun to read again may have read little in this window.
      const hasWaited = wasWaiting && isWaiting;
      const arrived = socket.bytesRead - received;
      received = socket.bytesRead;
      wasWaiting = isWaiting;
      if (raw.complete) stop();
      else if (isDiscarded || (hasWaited && arrived < limits.minDataRate.bytes)) {
        abandon(tooSlow(limits));
      } else beginWindow();
    };
    let cancel: () => void;
    const beginWindow = () => {
      cancel = clock.schedule(limits.minDataRate.windowMs, check);
    };
    beginWindow();
    const stop = () => {
      isStopped = true;
      cancel();
      socket.off('close', stop);
      remove(arrival);
    };
    raw.once('end', stop).once('close', stop);
    // A client may read the response only after it has sent everything: the rest is discarded, for
    // one window of time.
    reply.raw.once('finish', () => {
      if (raw.complete) return;
      raw.resume();
      isDiscarded = true;
      cancel();
      if (!isStopped) beginWindow();
      // Node tells a request no more that its connection has closed.
      socket.once('close', stop);
    });

    arrivals.set(network, (arrivals.get(network) ?? new Set()).add(arrival));
    count += 1;
  };
}
