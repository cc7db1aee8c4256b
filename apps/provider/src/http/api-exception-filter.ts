import { clientAddress, DisconnectLog, isDisconnected, UnreadableBody } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import { sqlState } from '@registrar/persistence';
import { appLogger, type Logger } from '@registrar/platform';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
} from '@nestjs/common';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './error-body.ts';
import { RetryLater } from './retry-later.ts';

/** SQLSTATE codes for text with a character that PostgreSQL cannot store, such as NUL. */
const invalidCharacterStates = new Set(['22021', '22P05']);

/**
 * The message of the 404 of an unknown path. The course-provider adapter recognizes it, so that a
 * wrong base URL does not make courses or registrations look deleted.
 */
export const unknownPathMessage = 'There is no resource at this path.';

/** The headers of a file, whose stream may fail before its first byte. */
const fileHeaders = [
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'vary',
];

interface ErrorResponse {
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

/** Writes errors of the API: a status and an `ErrorBody`. */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  readonly #disconnects: DisconnectLog;

  constructor(@Inject(appLogger) private readonly logger: Logger) {
    this.#disconnects = new DisconnectLog(logger);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    if (request.is404) {
      void reply.status(404).send(errorBody(unknownPathMessage));
      return;
    }
    if (isDisconnected(request)) {
      this.#disconnects.record(request, { reason: Failure.from(error).message });
      return;
    }
    const { status, message, retryAfterSeconds } = this.describe(error, request);
    for (const name of fileHeaders) {
      void reply.removeHeader(name);
      // Fastify has copied them, to begin the stream.
      reply.raw.removeHeader(name);
    }
    if (status === 401) void reply.header('www-authenticate', 'Basic realm="provider"');
    if (retryAfterSeconds) void reply.header('retry-after', String(retryAfterSeconds));
    void reply.status(status).header('cache-control', 'no-store').send(errorBody(message));
  }

  private describe(error: unknown, { id, ip }: FastifyRequest): ErrorResponse {
    if (error instanceof HttpException) {
      return {
        status: error.getStatus(),
        message: error.message,
        ...(error instanceof RetryLater && { retryAfterSeconds: error.retryAfterSeconds }),
      };
    }
    if (invalidCharacterStates.has(sqlState(error) ?? '')) {
      return { status: 400, message: 'A value contains a character that cannot be stored.' };
    }
    // An error of Fastify, whose message may repeat the request.
    const { statusCode = 500 } = error as Partial<FastifyError>;
    if (statusCode >= 400 && statusCode < 500) {
      return { status: statusCode, message: 'The request is malformed.' };
    }
    const from = { request_id: id, client_address: clientAddress(ip) };
    const { code, message, retriable, retryAfterSeconds = 1 } = Failure.from(error);
    if (error instanceof UnreadableBody) return { status: error.status, message };
    if (code === 'invalid') return { status: 400, message };
    if (code === 'expired') {
      return { status: 503, message: 'The request took too long. Try again later.' };
    }
    // Who refuses a request because of a limit counts and logs it.
    if (code === 'over-limit' || code === 'overloaded') {
      return { status: 503, message, retryAfterSeconds };
    }
    if (retriable) {
      this.logger.warn(
        { ...from, code, reason: message },
        'request rejected: a dependency is unavailable',
      );
      return { status: 503, message: 'The provider is unavailable. Try again later.' };
    }
    this.logger.error({ ...from, err: error }, 'request failed');
    return { status: 500, message: 'Internal error. The provider logged its cause.' };
  }
}
