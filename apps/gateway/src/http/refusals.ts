import { Failure, type FailureCode } from '#libs/contracts';
import { appLogger, type Logger } from '#libs/platform';
import { HttpException, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../answers/refusal.ts';
import { retryAfter, statuses } from '../answers/statuses.ts';

/** What a client is told of a request that failed: the status. The reason stays in the log. */
interface Told {
  readonly status: number;
  readonly code: FailureCode | null;
  readonly reason: string;
}

/** Answers requests that failed: a status, an empty body, and the reason in the log alone. */
@Injectable()
export class Refusals {
  constructor(@Inject(appLogger) private readonly logger: Logger) {}

  answer(error: unknown, reply: FastifyReply, operation: string | null): void {
    const told = tell(error);
    const line = { operation, ...told };
    if (told.code === 'internal') this.logger.error({ ...line, err: error }, 'request failed');
    else this.logger.warn(line, 'request refused');
    const wait = told.code && retryAfter[told.code];
    if (wait) void reply.header('retry-after', String(wait));
    void reply.removeHeader('content-type').code(told.status).send();
  }
}

function tell(error: unknown): Told {
  if (error instanceof Refusal) {
    return { status: error.status, code: null, reason: error.message };
  }
  if (error instanceof HttpException && error.getStatus() === 404) {
    return { status: 404, code: 'not-found', reason: 'there is no such path' };
  }
  // What Fastify refuses to parse: a malformed or too large body, an unknown type of body.
  if (isBadRequest(error)) {
    return { status: statuses.invalid, code: 'invalid', reason: `cannot be read: ${error.code}` };
  }
  const { code, message } = Failure.from(error);
  return { status: statuses[code], code, reason: message };
}

const isBadRequest = (error: unknown): error is { statusCode: number; code: string } => {
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  return (
    typeof code === 'string' &&
    typeof statusCode === 'number' &&
    statusCode >= 400 &&
    statusCode < 500
  );
};
