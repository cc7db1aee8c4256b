import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const header = 'x-request-id';

/** Names a request, as its client does if the name can stand in a log line as it is. */
export function nameRequest(request: FastifyRequest, reply: FastifyReply): void {
  const wished = request.headers[header];
  const fits = typeof wished === 'string' && /^[\w.-]{1,64}$/.test(wished);
  void reply.header(header, fits ? wished : randomUUID());
}

/** The name that {@link nameRequest} gave. */
export const requestIdOf = (reply: FastifyReply): string => String(reply.getHeader(header));
