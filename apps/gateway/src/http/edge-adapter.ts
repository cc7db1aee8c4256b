import multipart from '@fastify/multipart';
import { gracefulClose } from '#libs/bus';
import type { Logger } from '#libs/platform';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerUnreadable } from './answer-unreadable.ts';
import { Refusals } from './refusals.ts';
import { nameRequest } from './request-id.ts';

/** The most that a body without a file, or the fields of a form together, may hold: bytes. */
export const bodyLimit = 8 * 1024 * 1024;
/** Lists of learners come in the query string too. */
const maxHeaderSize = 256 * 1024;

/** The HTTP server of the edge. */
export function edgeAdapter(logger: Logger): FastifyAdapter {
  const refusals = new Refusals(logger);
  const adapter = new FastifyAdapter({
    ...gracefulClose,
    bodyLimit,
    // An id that is too long is refused as any that is unknown: after the access.
    routerOptions: { maxParamLength: maxHeaderSize },
    http: { maxHeaderSize },
    // Fastify would answer with the URL, and the secrets in it.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      nameRequest(request, reply);
      refusals.answer(error, reply, null);
    },
    clientErrorHandler: answerUnreadable,
  });
  // The catalog bounds the size of packages.
  const limits = { fieldSize: bodyLimit, files: 1, fileSize: Infinity };
  void adapter.getInstance().register(multipart, { limits });
  return adapter;
}
