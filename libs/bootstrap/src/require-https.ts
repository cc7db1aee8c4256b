import type { FastifyInstance } from 'fastify';

/** A year, the least that browsers' preload lists accept: seconds. */
const maxAgeSeconds = 31_536_000;

/**
 * The header that makes browsers use HTTPS alone for the host of the response from then on, if clients
 * reach the server by HTTPS (RFC 6797). `includeSubDomains` and `preload` are not sent, because other
 * hosts of the domain belong to others; a proxy may replace the header.
 *
 * @param publicUrl the server's URL for clients; undefined if it is that of its port
 */
export const transportSecurityHeaders = (publicUrl: string | undefined): Record<string, string> =>
  publicUrl?.startsWith('https:')
    ? { 'strict-transport-security': `max-age=${maxAgeSeconds}` }
    : {};

/** Sets {@link transportSecurityHeaders} on every response that the server has parsed a request for. */
export function requireHttps(server: FastifyInstance, publicUrl: string | undefined): void {
  const headers = transportSecurityHeaders(publicUrl);
  if (Object.keys(headers).length === 0) return;
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}
