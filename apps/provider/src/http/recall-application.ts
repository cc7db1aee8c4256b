import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { type Observable, retry } from 'rxjs';
import { ApiAccessGuard, recallsApplication } from './api-access.guard.ts';

/** A statement has found that the application no longer accepts the credentials of the request. */
export class ApplicationChanged extends Error {
  constructor() {
    super('the application has changed since its row was read');
  }
}

/** How often a request is repeated while its application keeps changing. */
const maxRepetitions = 3;

/** Repeats a request whose application has changed, and authenticates a request before it is refused for another reason. */
@Injectable()
class RepeatAfterChange implements NestInterceptor {
  constructor(private readonly guard: ApiAccessGuard) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      retry({
        count: maxRepetitions,
        delay: async (error: unknown) => {
          if (error instanceof ApplicationChanged) return this.guard.authenticateAgain(context);
          await this.guard.authenticate(context);
          throw error;
        },
      }),
    );
  }
}

/**
 * The method's first statement checks the application by `isStillAccepted` (access-rules.ts), and throws
 * {@link ApplicationChanged} before it has an effect: most requests need no other statement that authenticates them.
 */
export const RecallsApplication = (): MethodDecorator =>
  applyDecorators(SetMetadata(recallsApplication, true), UseInterceptors(RepeatAfterChange));
