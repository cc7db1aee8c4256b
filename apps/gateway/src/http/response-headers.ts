import type { FastifyReply, FastifyRequest } from 'fastify';
import { setCorsHeaders } from './cors.ts';
import { assignRequestId } from './request-id.ts';

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
