import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import { gracefulClose } from '@registrar/bootstrap';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { handleClientError } from './client-errors.ts';
import type { ErrorResponder } from './error-responder.ts';
import { bodyLimitBytes, maxHeaderBytes } from './limits.ts';
import { setResponseHeaders } from './response-headers.ts';

/**
 * Creates the gateway's HTTP server.
 *
 * @param origins the setting CORS_ORIGINS; null allows every origin
 */
export function createFastifyAdapter(
  errors: ErrorResponder,
  origins: readonly string[] | null,
): FastifyAdapter {
  const adapter = new FastifyAdapter({
    ...gracefulClose,
    bodyLimit: bodyLimitBytes,
    routerOptions: {
      // The pipeline responds 404 to an id that is too long, after it has checked access.
      maxParamLength: maxHeaderBytes,
      // contract/formats#trailing-slash
      ignoreTrailingSlash: true,
    },
    http: { maxHeaderSize: maxHeaderBytes },
    // Fastify's own response repeats the URL, which may contain secrets.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      setResponseHeaders(request, reply, origins);
      errors.respond(error, reply, null);
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      handleClientError(error, socket, errors),
  });
  // The catalog limits the size of packages.
  const limits = { fieldSize: bodyLimitBytes, files: 1, fileSize: Infinity };
  void adapter.getInstance().register(multipart, { limits });
  return adapter;
}
