import { Failure } from '#libs/contracts';
import { appLogger, type Logger } from '#libs/platform';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Errors as the API tells them: a status and `{"message": "…"}`. */
@Catch()
export class ApiErrors implements ExceptionFilter {
  constructor(@Inject(appLogger) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const { status, body } = this.describe(error);
    void host.switchToHttp().getResponse<FastifyReply>().status(status).send(body);
  }

  private describe(error: unknown): { status: number; body: object } {
    if (error instanceof HttpException) {
      const answer = error.getResponse();
      const isOurs = typeof answer === 'object' && !('statusCode' in answer);
      return { status: error.getStatus(), body: isOurs ? answer : { message: error.message } };
    }
    const { code } = Failure.from(error);
    if (code === 'expired') {
      return { status: 503, body: { message: 'The request took too long. Try again later.' } };
    }
    this.logger.error({ err: error }, 'request failed');
    return { status: 500, body: { message: 'The provider failed. Its log says why.' } };
  }
}
