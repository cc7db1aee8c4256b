import { requestIdFrom } from '@registrar/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

const header = 'x-request-id';

/** Sets the request's id: the client's, or a new one if that is unsafe (contract/errors#request-id). */
export function assignRequestId(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header(header, requestIdFrom(request.headers[header]));
}

/** The id that {@link assignRequestId} set. */
export const getRequestId = (reply: FastifyReply): string => String(reply.getHeader(header));
