import { requestIdFrom } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

const header = 'x-request-id';

/** Names a request, as its client does if the name can stand in a log line as it is. */
export function nameRequest(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header(header, requestIdFrom(request.headers[header]));
}

/** The name that {@link nameRequest} gave. */
export const requestIdOf = (reply: FastifyReply): string => String(reply.getHeader(header));
