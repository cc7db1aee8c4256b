import type { Socket } from 'node:net';
import { fastifyOptions, type HttpLimits } from '@registrar/bootstrap';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseQuery } from '../parameters/request-parameters.ts';
import type { GatewaySettings } from '../settings.ts';
import { handleClientError, maxHeaderBytes } from './client-errors.ts';
import type { ErrorResponder } from './error-responder.ts';
import { setResponseHeaders } from './response-headers.ts';

/** Creates the gateway's HTTP server. */
export function createFastifyAdapter(
  errors: ErrorResponder,
  { CORS_ORIGINS: origins, PUBLIC_URL: publicUrl }: GatewaySettings,
  limits: HttpLimits,
): FastifyAdapter {
  const { http, ...options } = fastifyOptions(limits);
  return new FastifyAdapter({
    ...options,
    routerOptions: {
      // The pipeline responds 404 to an id that is too long, after it has checked access.
      maxParamLength: maxHeaderBytes,
      // contract/formats#trailing-slash
      ignoreTrailingSlash: true,
      querystringParser: parseQuery,
    },
    http: { ...http, maxHeaderSize: maxHeaderBytes },
    // Fastify's own response repeats the URL, which may contain secrets.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      setResponseHeaders(request, reply, origins);
      errors.respond(error, reply, null);
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      handleClientError(error, socket, { errors, publicUrl }),
  });
}
