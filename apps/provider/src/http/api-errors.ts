import { Failure } from '#libs/contracts';
import { sqlState } from '#libs/persistence';
import { appLogger, type Logger } from '#libs/platform';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** PostgreSQL's codes for text with a character that it cannot hold, such as NUL. */
const unstorable = new Set(['22021', '22P05']);

/**
 * Errors as the API tells them: a status and `{"message": "…"}`. An address that is none of ours
 * gets no such body: a client may not take a mistaken address for a thing that is gone.
 */
@Catch()
export class ApiErrors implements ExceptionFilter {
  constructor(@Inject(appLogger) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (host.switchToHttp().getRequest<FastifyRequest>().is404) {
      void reply.status(404).type('text/plain').send('There is nothing at this address.');
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
    if (unstorable.has(sqlState(error) ?? '')) {
      return { status: 400, body: { message: 'A value holds a character that cannot be stored.' } };
    }
    const { code, message, retriable } = Failure.from(error);
    if (code === 'expired') {
      return { status: 503, body: { message: 'The request took too long. Try again later.' } };
    }
    if (retriable) {
      this.logger.warn({ code, reason: message }, 'request refused');
      return { status: 503, body: { message: 'The provider cannot answer now. Try again later.' } };
    }
    this.logger.error({ err: error }, 'request failed');
    return { status: 500, body: { message: 'The provider failed. Its log says why.' } };
  }
}
