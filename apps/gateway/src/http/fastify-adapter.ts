import multipart from '@fastify/multipart';
import { gracefulClose } from '@registrar/bootstrap';
import type { Logger } from '@registrar/platform';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { handleClientError } from './client-errors.ts';
import { ErrorResponder } from './error-responder.ts';
import { assignRequestId } from './request-id.ts';

/** The limit of a body without a file, and of all fields of a multipart form together. */
export const bodyLimitBytes = 8 * 1024 * 1024;
/** Large, because lists of learners may come in the query string. */
const maxHeaderBytes = 256 * 1024;

/** Creates the gateway's HTTP server. */
export function createFastifyAdapter(logger: Logger): FastifyAdapter {
  const errors = new ErrorResponder(logger);
  const adapter = new FastifyAdapter({
    ...gracefulClose,
    bodyLimit: bodyLimitBytes,
    // The pipeline responds 404 to an id that is too long, after it has checked access.
    routerOptions: { maxParamLength: maxHeaderBytes },
    http: { maxHeaderSize: maxHeaderBytes },
    // Fastify's own response repeats the URL, which may contain secrets.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      assignRequestId(request, reply);
      errors.respond(error, reply, null);
    },
    clientErrorHandler: handleClientError,
  });
  // The catalog limits the size of packages.
  const limits = { fieldSize: bodyLimitBytes, files: 1, fileSize: Infinity };
  void adapter.getInstance().register(multipart, { limits });
  return adapter;
}
