import { clientAddress, DisconnectLog, isDisconnected, UnreadableBody } from '@registrar/bootstrap';
import { Failure, type FailureCode } from '@registrar/contracts';
import { appLogger, type Logger } from '@registrar/platform';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
} from '@nestjs/common';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { CallFailure } from '../calls/define-call.ts';
import { SignedOut } from '../sessions/current-session.ts';
import { UnexpectedType } from './same-origin.ts';

/** The status of each failure, of RFC 9110. */
const statuses = {
  invalid: 400,
  unauthenticated: 403,
  'not-found': 404,
  unchanged: 409,
  'refused-by-provider': 409,
  unavailable: 503,
  overloaded: 503,
  'over-limit': 503,
  expired: 504,
  internal: 500,
} as const satisfies Record<FailureCode, number>;

/** What a client gets for a failure. Of a defect, only the log has the cause. */
export function callFailure(failure: Failure, requestId: string): CallFailure {
  const { code, message, retryAfterSeconds } = failure;
  if (failure instanceof SignedOut) return { code: 'signed-out', message, requestId };
  const shown = code === 'internal' ? 'The server failed; its log has the cause.' : message;
  return { code, message: shown, requestId, ...(retryAfterSeconds && { retryAfterSeconds }) };
}

/** Writes errors as {@link CallFailure}. */
@Catch()
export class ConsoleExceptionFilter implements ExceptionFilter {
  readonly #disconnects: DisconnectLog;

  constructor(@Inject(appLogger) private readonly logger: Logger) {
    this.#disconnects = new DisconnectLog(logger);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const failure = asFailure(error);
    if (isDisconnected(request)) {
      this.#disconnects.record(request, { reason: failure.message });
      return;
    }
    logFailure(this.logger, failure, error, request);
    const { retryAfterSeconds } = failure;
    if (retryAfterSeconds) void reply.header('retry-after', String(retryAfterSeconds));
    void reply
      .status(statusOf(failure))
      .header('cache-control', 'no-store')
      .send(callFailure(failure, request.id));
  }
}

/** Logs why a request fails: of a defect, the error itself. */
export function logFailure(
  logger: Logger,
  { code, message: reason }: Failure,
  error: unknown,
  { id, ip }: FastifyRequest,
): void {
  const from = { request_id: id, client_address: clientAddress(ip) };
  if (code === 'internal') logger.error({ ...from, err: error }, 'request failed');
  else logger.info({ ...from, code, reason }, 'request refused');
}

function statusOf(failure: Failure): number {
  if (failure instanceof SignedOut) return 401;
  if (failure instanceof UnexpectedType) return 415;
  return failure instanceof UnreadableBody ? failure.status : statuses[failure.code];
}

/** Nest's and Fastify's own errors become failures; their messages may repeat the request. */
function asFailure(error: unknown): Failure {
  if (error instanceof HttpException) {
    const code = error.getStatus() === 404 ? 'not-found' : 'invalid';
    return new Failure(code, code === 'not-found' ? 'no such path' : 'the request is malformed');
  }
  const { statusCode = 500 } = (error ?? {}) as Partial<FastifyError>;
  if (!(error instanceof Failure) && statusCode >= 400 && statusCode < 500) {
    return new Failure('invalid', 'the request is malformed');
  }
  return Failure.from(error);
}
