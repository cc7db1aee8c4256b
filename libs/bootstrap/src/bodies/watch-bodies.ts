import { clock } from '@registrar/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import { clientNetworks, CountsOfNetworks, type HeldByClient } from '../client-network.ts';
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
  reason: 'too many bodies are arriving, and this one is the oldest of its client',
};

/** A body that is arriving. */
interface Arrival extends HeldByClient {
  /** Ends the request with an error, or its connection if the response is under way. */
  abandon(cause: UnfinishedBody): void;
}

/**
 * Ends requests whose bodies arrive too slowly ({@link HttpLimits}). The time in which the app does
 * not read, because it is busy with what has arrived, does not count. Of more bodies than may arrive
 * at a time, the oldest one of the client with the most is abandoned: of the network with the most, and within it
 * of the address.
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
  /** In the order of arrival. */
  const arrivals = new Set<Arrival>();
  const counts = new CountsOfNetworks();
  new Gauge({
    name: 'registrar_http_bodies_arriving',
    help: 'Bodies of requests that are arriving.',
    registers: [registry],
    collect() {
      this.set(arrivals.size);
    },
  });

  return (request, reply) => {
    if (arrivals.size >= limits.maxBodies) counts.firstOfLargest(arrivals)?.abandon(tooMany);
    const { raw } = request;
    const { socket } = raw;
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
    const arrival: Arrival = { networks: clientNetworks(request.ip), abandon };
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
      if (arrivals.delete(arrival)) counts.add(arrival, -1);
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

    arrivals.add(arrival);
    counts.add(arrival, 1);
  };
}
