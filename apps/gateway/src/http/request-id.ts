import { clientAddress } from '@registrar/bootstrap';
import { type RequestContext, requestIdFrom } from '@registrar/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

const header = 'x-request-id';

/** Sets the request's id: the client's, or a new one if that is unsafe (contract/errors#request-id). */
export function assignRequestId(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header(header, requestIdFrom(request.headers[header]));
}

/** The id that {@link assignRequestId} set. */
const getRequestId = (reply: FastifyReply): string => String(reply.getHeader(header));

/** Where a request comes from: the part of its context that all of its work shares. */
export type RequestOrigin = Pick<RequestContext, 'requestId' | 'clientAddress'>;

export function requestOrigin(request: FastifyRequest, reply: FastifyReply): RequestOrigin {
  const address = clientAddress(request.ip);
  return { requestId: getRequestId(reply), ...(address && { clientAddress: address }) };
}
