import { Failure, type FailureCode } from '@registrar/contracts';
import { appLogger, type Logger } from '@registrar/platform';
import { HttpException, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GatewayError } from '../responses/gateway-error.ts';
import { retryAfterSeconds, statusOfFailure } from '../responses/statuses.ts';
import { getRequestId } from './request-id.ts';

/** The status that the client sees, and the cause, which is only logged. */
interface ErrorResponse {
  readonly status: number;
  readonly code: FailureCode | null;
  readonly reason: string;
}

/** Sends error responses: a status and an empty body (contract/errors#empty-body). */
@Injectable()
export class ErrorResponder {
  constructor(@Inject(appLogger) private readonly logger: Logger) {}

  /** Responds to a failed request and logs the cause. */
  respond(error: unknown, reply: FastifyReply, operation: string | null): void {
    const response = toErrorResponse(error);
    const line = { request_id: getRequestId(reply), operation, ...response };
    // A client that disconnects while it sends its request is not an error of the gateway.
    if (response.code === 'internal' && !reply.raw.destroyed)
      this.logger.error({ ...line, err: error }, 'request failed');
    else this.logger.warn(line, 'request refused');
    send(reply, response);
  }

  /** Responds to a request that was shed. The concurrency limiter logs overload. */
  respondOverloaded(reply: FastifyReply): void {
    send(reply, { status: statusOfFailure.overloaded, code: 'overloaded' });
  }

  /** Logs a list that failed after its status was sent; the client sees the connection break. */
  logAbortedList(error: unknown, reply: FastifyReply, operation: string): void {
    const { code, reason } = toErrorResponse(error);
    const line = { request_id: getRequestId(reply), operation, code, reason };
    if (code === 'internal') this.logger.error({ ...line, err: error }, 'list aborted');
    else this.logger.warn(line, 'list aborted');
  }
}

function send(reply: FastifyReply, { status, code }: Pick<ErrorResponse, 'status' | 'code'>): void {
  const seconds = code && retryAfterSeconds[code];
  if (seconds) void reply.header('retry-after', String(seconds));
  void reply.removeHeader('content-type').code(status).send();
}

function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof GatewayError) {
    return { status: error.status, code: null, reason: error.message };
  }
  if (error instanceof HttpException && error.getStatus() === 404) {
    return { status: 404, code: 'not-found', reason: 'there is no such path' };
  }
  if (isMalformedRequest(error)) {
    const reason = 'the URL or the body is malformed, too large, or of an unknown type';
    return { status: statusOfFailure.invalid, code: 'invalid', reason };
  }
  const { code, message } = Failure.from(error);
  return { status: statusOfFailure[code], code, reason: message };
}

/** Whether Fastify rejected the request with a 4xx, directly or wrapped by Nest. */
function isMalformedRequest(error: unknown): boolean {
  const status =
    error instanceof HttpException
      ? error.getStatus()
      : (error as { statusCode?: unknown }).statusCode;
  return typeof status === 'number' && status >= 400 && status < 500;
}
