import { clientAddress } from '@registrar/bootstrap';
import { type RequestContext, requestIdFrom } from '@registrar/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setCorsHeaders } from './cors.ts';

/**
 * Headers of every response, errors included. `no-store` and `no-referrer`, because URLs and responses
 * contain credentials (contract/errors#no-store).
 */
export const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
} as const;

/** Sets the headers of every response to a request that Fastify has parsed. */
export function setResponseHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[] | null,
): void {
  assignRequestId(request, reply);
  void reply.headers(fixedHeaders);
  setCorsHeaders(request, reply, origins);
}

const requestIdHeader = 'x-request-id';

/** Sets the request's id: the client's, or a new one if that is unsafe (contract/errors#request-id). */
function assignRequestId(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header(requestIdHeader, requestIdFrom(request.headers[requestIdHeader]));
}

/** The id that {@link assignRequestId} set. */
const getRequestId = (reply: FastifyReply): string => String(reply.getHeader(requestIdHeader));

/** Where a request comes from: the part of its context that all of its work shares. */
export type RequestOrigin = Pick<RequestContext, 'requestId' | 'clientAddress'>;

export function requestOrigin(request: FastifyRequest, reply: FastifyReply): RequestOrigin {
  const address = clientAddress(request.ip);
  return { requestId: getRequestId(reply), ...(address && { clientAddress: address }) };
}
