import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Applies rules of HTTP that Node leaves to its user. A request with several `Host` headers is no HTTP
 * request (RFC 9112, section 3.2). An `Expect` other than `100-continue` has no effect, which RFC 9110 (section
 * 10.1.1) permits: Node would respond 417 by itself, past all limits.
 */
export function applyHttpRules(server: FastifyInstance, http: Server): void {
  http.on('checkExpectation', (request, response) => http.emit('request', request, response));
  server.addHook('onRequest', ({ raw }, reply, next) => {
    if ((raw.headersDistinct['host']?.length ?? 0) < 2) {
      next();
      return;
    }
    reply.hijack();
    const error = Object.assign(new Error('several Host headers'), { code: 'HPE_INVALID_HEADER' });
    http.emit('clientError', error, raw.socket);
  });
}
