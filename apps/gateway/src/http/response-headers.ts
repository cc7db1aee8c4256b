import { clientAddress } from '@registrar/bootstrap';
import type { RequestContext } from '@registrar/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasPairSecret } from '../access/access-mode.ts';
import { operations } from '../operations/operation-table.ts';
import { headParameters, type RequestParameters } from '../parameters/request-parameters.ts';

/**
 * Headers of every response, errors included. `no-store` and `no-referrer`, because URLs and responses
 * contain credentials (contract/errors#no-store).
 */
export const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
} as const;

/**
 * Sets the headers of every response to a request that Fastify has parsed. Called before anything can fail, so
 * that no error looks like a CORS failure to a page.
 *
 * @param origins those whose pages may read the response; null for all
 */
export function setResponseHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[] | null,
): void {
  // contract/errors#request-id
  void reply.headers({ ...fixedHeaders, 'x-request-id': request.id });
  setCorsHeaders(request, reply, origins);
}

/** Where a request comes from: the part of its context that all of its work shares. */
export type RequestOrigin = Pick<RequestContext, 'requestId' | 'clientAddress'>;

export function requestOrigin({ id: requestId, ip }: FastifyRequest): RequestOrigin {
  const address = clientAddress(ip);
  return { requestId, ...(address && { clientAddress: address }) };
}

const allowOrigin = 'access-control-allow-origin';

/** The headers that a page may read (contract/access#cors-headers). */
const exposedHeaders =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Allow, Deprecation, ETag, Age, Idempotency-Replayed';

const allowedMethods = [
  ...new Set(operations.flatMap(({ routes }) => routes.map(({ method }) => method))),
].join(', ');

/**
 * Allows a page to read the response, unless the head of the request carries the secret of a pair
 * (contract/access#cors-origins).
 */
function setCorsHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[] | null,
): void {
  const { given, fault } = headParameters(request);
  // The part that was not read may hold a secret.
  if (fault || hasPairSecret(given)) return;
  void reply.header('access-control-expose-headers', exposedHeaders);
  if (origins === null) {
    void reply.header(allowOrigin, '*');
    return;
  }
  void reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin && origins.includes(origin)) void reply.header(allowOrigin, origin);
}

/** Allows no page to read the response when the body carries a secret (contract/access#cors-pairs). */
export function withholdFromPages(given: RequestParameters, reply: FastifyReply): void {
  if (hasPairSecret(given)) void reply.removeHeader(allowOrigin);
}

/** Responds to a preflight request, which carries no credentials (contract/access#cors-preflight). */
export function sendPreflightResponse(request: FastifyRequest, reply: FastifyReply): void {
  const requested = request.headers['access-control-request-headers'];
  if (requested) void reply.header('access-control-allow-headers', requested);
  void reply
    .header('access-control-allow-methods', allowedMethods)
    .header('access-control-max-age', '600')
    .code(204)
    .send();
}
