import { Failure } from '@registrar/contracts';
import { appLogger, type Logger } from '@registrar/platform';
import { type ArgumentsHost, Catch, Inject, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';
import type { EventContext, RequestContext } from './message-context.ts';

/**
 * Gives the caller of a request the failure that its handler throws. Any other error is logged, and the
 * caller gets the failure `internal`. The transport gets the errors of events as they are.
 */
@Catch()
export class FailureFilter implements RpcExceptionFilter {
  constructor(@Inject(appLogger) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> {
    const { contract } = host.switchToRpc().getContext<RequestContext | EventContext>();
    if (contract.kind === 'event' || error instanceof Failure) return throwError(() => error);
    const { name, context } = contract;
    this.logger.error({ err: error, request: name }, 'a request handler failed');
    const reason = `${name} failed; the log of ${context} has the cause`;
    return throwError(() => new Failure('internal', reason));
  }
}
