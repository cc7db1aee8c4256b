import type { FastifyReply, FastifyRequest } from 'fastify';

/** Where the allow-list of origins is found by injection; null allows every origin. */
export const allowedOrigins = Symbol('allowed origins');

/** Lets a page read the answer to a request that it made with an API key (decision 10). */
export function allowOrigin(
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

/** Answers a preflight request, which carries no access mode. */
export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[] | null,
): void {
  allowOrigin(request, reply, origins);
  const wished = request.headers['access-control-request-headers'];
  if (wished) void reply.header('access-control-allow-headers', wished);
  void reply
    .header('access-control-allow-methods', 'GET, POST, PUT')
    .header('access-control-max-age', '600')
    .code(204)
    .send();
}
