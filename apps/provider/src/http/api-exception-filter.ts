import { UnreadableBody } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import { sqlState } from '@registrar/persistence';
import { appLogger, currentRequestContext, type Logger } from '@registrar/platform';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** SQLSTATE codes for text with a character that PostgreSQL cannot store, such as NUL. */
const invalidCharacterStates = new Set(['22021', '22P05']);

/**
 * The message of the 404 of an unknown path. The course-provider adapter recognizes it, so that a
 * wrong base URL does not make courses or registrations look deleted.
 */
export const unknownPathMessage = 'There is no resource at this path.';

/** Writes errors of the API: a status and `{"message": "…"}`. */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  constructor(@Inject(appLogger) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (host.switchToHttp().getRequest<FastifyRequest>().is404) {
      void reply.status(404).send({ message: unknownPathMessage });
      return;
    }
    const { status, body } = this.describe(error);
    void reply.status(status).send(body);
  }

  private describe(error: unknown): { status: number; body: object } {
    if (error instanceof HttpException) {
      const answer = error.getResponse();
      const isOurs = typeof answer === 'object' && !('statusCode' in answer);
      return { status: error.getStatus(), body: isOurs ? answer : { message: error.message } };
    }
    if (invalidCharacterStates.has(sqlState(error) ?? '')) {
      const message = 'A value contains a character that cannot be stored.';
      return { status: 400, body: { message } };
    }
    const from = { client_address: currentRequestContext()?.clientAddress };
    const { code, message, retriable } = Failure.from(error);
    if (error instanceof UnreadableBody) return { status: error.status, body: { message } };
    if (code === 'expired') {
      return { status: 503, body: { message: 'The request took too long. Try again later.' } };
    }
    if (retriable) {
      this.logger.warn(
        { ...from, code, reason: message },
        'request rejected: a dependency is unavailable',
      );
      return { status: 503, body: { message: 'The provider is unavailable. Try again later.' } };
    }
    this.logger.error({ ...from, err: error }, 'request failed');
    return { status: 500, body: { message: 'Internal error. The provider logged its cause.' } };
  }
}
