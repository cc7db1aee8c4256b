import { clientAddress, type DataRate, endSlowReading } from '@registrar/bootstrap';
import type { Logger } from '@registrar/platform';
import type { FastifyInstance } from 'fastify';

/** What the operating system takes at once from a socket that is not busy: the client sets no pace. */
const sentAtOnceBytes = 16 * 1024;

/** Closes the connections of clients that read their responses too slowly. */
export function endSlowReaders(
  server: FastifyInstance,
  minDataRate: DataRate,
  logger: Logger,
): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (takesTime(payload)) {
      endSlowReading(reply.raw, minDataRate, () => {
        const line = { request_id: request.id, client_address: clientAddress(request.ip) };
        const reason = 'the client reads the response too slowly';
        logger.warn({ ...line, reason }, 'response aborted');
      });
    }
    done(null, payload);
  });
}

const takesTime = (payload: unknown): boolean =>
  typeof payload === 'string'
    ? payload.length > sentAtOnceBytes
    : payload !== null && payload !== undefined;
