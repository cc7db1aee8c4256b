import { Failure, type FailureCode } from '#libs/contracts';
import { appLogger, type Logger } from '#libs/platform';
import { HttpException, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../answers/refusal.ts';
import { retryAfter, statuses } from '../answers/statuses.ts';
import { requestIdOf } from './request-id.ts';

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
    const line = { request_id: requestIdOf(reply), operation, ...told };
    // A client that goes away in the middle of its request breaks nothing of ours.
    if (told.code === 'internal' && !reply.raw.destroyed)
      this.logger.error({ ...line, err: error }, 'request failed');
    else this.logger.warn(line, 'request refused');
    send(reply, told);
  }

  /** A request for which there was no place. */
  shed(reply: FastifyReply): void {
    send(reply, { status: statuses.overloaded, code: 'overloaded' });
  }

  /** A list ended early: its status was sent long ago, and the client sees a broken connection. */
  cutOff(error: unknown, reply: FastifyReply, operation: string): void {
    const { code, reason } = tell(error);
    const line = { request_id: requestIdOf(reply), operation, code, reason };
    if (code === 'internal') this.logger.error({ ...line, err: error }, 'list cut off');
    else this.logger.warn(line, 'list cut off');
  }
}

function send(reply: FastifyReply, { status, code }: Pick<Told, 'status' | 'code'>): void {
  const wait = code && retryAfter[code];
  if (wait) void reply.header('retry-after', String(wait));
  void reply.removeHeader('content-type').code(status).send();
}

function tell(error: unknown): Told {
  if (error instanceof Refusal) {
    return { status: error.status, code: null, reason: error.message };
  }
  if (error instanceof HttpException && error.getStatus() === 404) {
    return { status: 404, code: 'not-found', reason: 'there is no such path' };
  }
  if (cannotBeRead(error)) {
    const reason = 'the URL or the body is malformed, too large, or of an unknown type';
    return { status: statuses.invalid, code: 'invalid', reason };
  }
  const { code, message } = Failure.from(error);
  return { status: statuses[code], code, reason: message };
}

/** What Fastify refuses to parse, as it is or as Nest passes it on. */
function cannotBeRead(error: unknown): boolean {
  const status =
    error instanceof HttpException
      ? error.getStatus()
      : (error as { statusCode?: unknown }).statusCode;
  return typeof status === 'number' && status >= 400 && status < 500;
}
