import type { FastifyReply, FastifyRequest } from 'fastify';
import { setCorsHeaders } from './cors.ts';
import { assignRequestId } from './request-id.ts';

/**
 * Sets the headers that every response carries, errors included. `no-store` and `no-referrer`, because
 * URLs and responses contain credentials (contract/errors#no-store).
 */
export function setResponseHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[] | null,
): void {
  assignRequestId(request, reply);
  void reply
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer');
  setCorsHeaders(request, reply, origins);
}
