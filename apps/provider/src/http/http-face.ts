import { gracefulClose, type HttpFace } from '#libs/bus';
import { requestIdFrom, runOperation } from '#libs/platform';
import multipart from '@fastify/multipart';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';

/** How long a request may take once it has arrived: milliseconds. */
const requestTime = 30_000;
/** How long a request may take to arrive, so that uploads over slow lines come through. */
const arrivalTime = 60 * 60_000;
/** Characters of one part of a path: launch links carry a signed token with an address in it. */
const longestPathPart = 8192;

/** How the provider answers HTTP: its limits, and the operation that each request is. */
export const httpFace = (port: number): HttpFace => ({
  port,
  adapter: new FastifyAdapter({
    ...gracefulClose,
    requestTimeout: arrivalTime,
    routerOptions: { maxParamLength: longestPathPart },
    genReqId: (request: IncomingMessage) => requestIdFrom(request.headers['x-request-id']),
  }),
  async configure(app) {
    await app.register(multipart);
    const server = app.getHttpAdapter().getInstance();
    const parseJson = server.getDefaultJsonParser('error', 'error');
    // The hosted provider's own client names JSON as the type of its empty bodies.
    app.useBodyParser('application/json', {}, (request, body: Buffer, done) => {
      if (body.length === 0) done(null);
      else void parseJson(request as FastifyRequest, body.toString('utf8'), done);
    });
    // Not before the body has been read: reading it would lose the operation.
    server.addHook('preHandler', (request, _reply, done) => {
      // An upload is still arriving here; its time is limited by how long it may take to arrive.
      const deadline = request.isMultipart() ? null : Date.now() + requestTime;
      runOperation({ requestId: request.id, deadline }, done);
    });
  },
});
