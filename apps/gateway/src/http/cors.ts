import type { FastifyReply, FastifyRequest } from 'fastify';

/** Injection token of the setting CORS_ORIGINS; null allows every origin. */
export const corsOrigins = Symbol('CORS origins');

/** Allows a page to read the response to an API key (contract/access#cors-origins). */
export function setAllowedOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[] | null,
): void {
  if (origins === null) {
    void reply.header('access-control-allow-origin', '*');
    return;
  }
  void reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin && origins.includes(origin)) void reply.header('access-control-allow-origin', origin);
}

/** Responds to a preflight request, which carries no credentials (contract/access#cors-preflight). */
export function sendPreflightResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[] | null,
): void {
  setAllowedOrigin(request, reply, origins);
  const requested = request.headers['access-control-request-headers'];
  if (requested) void reply.header('access-control-allow-headers', requested);
  void reply
    .header('access-control-allow-methods', 'GET, POST, PUT')
    .header('access-control-max-age', '600')
    .code(204)
    .send();
}
