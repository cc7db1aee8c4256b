import {
  clientAddress,
  fastifyOptions,
  type HttpLimits,
  type HttpServerOptions,
} from '@registrar/bootstrap';
import { appLogger, type Logger, requestIdFrom, runInRequestContext } from '@registrar/platform';
import multipart from '@fastify/multipart';
import staticFiles from '@fastify/static';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { Registry } from 'prom-client';
import { limitAddresses } from './limit-addresses.ts';

/** The deadline of a request, counted from when its body has been read. */
const requestTimeoutMs = 30_000;
/** Characters per path segment. Launch links contain a signed token with a URL in it. */
const maxPathSegmentLength = 8192;

/** The HTTP server of the provider: its limits and the request context. */
export const httpServerOptions = (
  limits: HttpLimits,
): Omit<HttpServerOptions, 'port' | 'publicUrl'> => ({
  limits,
  adapter: new FastifyAdapter({
    ...fastifyOptions(limits),
    routerOptions: { maxParamLength: maxPathSegmentLength },
    genReqId: (request: IncomingMessage) => requestIdFrom(request.headers['x-request-id']),
  }),
  respondToUnfinished: (reply, { status, reason }) => {
    void reply.status(status).send({ message: `The request was ended: ${reason}.` });
  },
  async configure(app) {
    await app.register(multipart);
    // Adds reply.sendFile; routes are declared by the controllers.
    await app.register(staticFiles, { serve: false });
    const server = app.getHttpAdapter().getInstance();
    // Responses of the API contain results of learners and launch links.
    server.addHook('onRequest', (request, reply, done) => {
      if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
      done();
    });
    limitAddresses(server, limits, app.get(Registry), app.get<Logger>(appLogger));
    const parseJson = server.getDefaultJsonParser('error', 'error');
    // SCORM Cloud's JavaScript client sends empty bodies with the content type of JSON.
    app.useBodyParser('application/json', {}, (request, body: Buffer, done) => {
      if (body.length === 0) done(null);
      else void parseJson(request as FastifyRequest, body.toString('utf8'), done);
    });
    // Set after the body has been read, because reading it loses the asynchronous context.
    server.addHook('preHandler', (request, _reply, done) => {
      // The body of an upload has not been read here, so that only its speed is limited.
      const deadline = request.isMultipart() ? null : Date.now() + requestTimeoutMs;
      const address = clientAddress(request.ip);
      const origin = { requestId: request.id, ...(address && { clientAddress: address }) };
      runInRequestContext({ ...origin, deadline }, done);
    });
  },
});
