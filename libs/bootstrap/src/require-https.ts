import type { FastifyInstance } from 'fastify';

/** A year, the least that browsers' preload lists accept: seconds. */
const maxAgeSeconds = 31_536_000;

/**
 * Makes browsers use HTTPS alone for the host of each response from then on, if clients reach the server by
 * HTTPS (RFC 6797). Other hosts of the domain are not ours to decide about, so `includeSubDomains` and
 * `preload` are not sent: a proxy may replace the header.
 *
 * @param publicUrl the server's URL for clients; undefined if it is that of its port
 */
export function requireHttps(server: FastifyInstance, publicUrl: string | undefined): void {
  if (!publicUrl?.startsWith('https:')) return;
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.header('strict-transport-security', `max-age=${maxAgeSeconds}`);
    done();
  });
}
