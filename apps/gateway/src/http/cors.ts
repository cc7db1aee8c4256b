import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasPairSecret } from '../access/access-mode.ts';
import { operations } from '../operations/operation-table.ts';
import { queryParameters } from '../parameters/received-parameters.ts';
import type { RequestParameters } from '../parameters/request-parameters.ts';

/** Injection token of the setting CORS_ORIGINS; null allows every origin. */
export const corsOrigins = Symbol('CORS origins');

const allowOrigin = 'access-control-allow-origin';

/** The headers that a page may read (contract/access#cors-headers). */
const exposedHeaders =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Allow, Deprecation, ETag';

const allowedMethods = [
  ...new Set(operations.flatMap(({ routes }) => routes.map(({ method }) => method))),
].join(', ');

/**
 * Allows a page to read the response, unless the query string carries the secret of a pair
 * (contract/access#cors-origins). Called before anything can fail, so that no error looks like a
 * CORS failure to a page.
 */
export function setCorsHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[] | null,
): void {
  const { given, fault } = queryParameters(request);
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
