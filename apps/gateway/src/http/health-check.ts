import type { FastifyInstance } from 'fastify';

/**
 * Serves `/health_check`, outside of the API root: 200 while the gateway serves, and nothing about
 * what it depends on (contract/formats#health-check). Readiness is the management port's.
 */
export function serveHealthCheck(server: FastifyInstance): void {
  server.get('/health_check', (_request, reply) =>
    reply.header('access-control-allow-origin', '*').type('text/plain; charset=utf-8').send('ok\n'),
  );
}
