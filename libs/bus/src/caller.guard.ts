import { type AccessScope, Failure, requirePermission } from '@registrar/contracts';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from './message-context.ts';
import { MessageRejected, RejectedMessages } from './rejected-messages.ts';

/**
 * Lets a request through whose sender the contract names as a caller, and whose access scope has the
 * permission that the contract requires. A context may send its own requests to itself.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(@Inject(RejectedMessages) private readonly rejected: RejectedMessages) {}

  /** @throws {Failure} `internal` for another sender; `unauthenticated` without the permission */
  canActivate(execution: ExecutionContext): boolean {
    const rpc = execution.switchToRpc();
    const { contract, sender } = rpc.getContext<RequestContext>();
    const { name, context, permission } = contract;
    const callers: readonly string[] = contract.callers;
    if (sender !== context && !callers.includes(sender)) {
      this.rejected.report(new MessageRejected('forbidden', sender), { request: name });
      throw new Failure('internal', `${sender} is not a caller of ${name}`);
    }
    // A contract has a permission only if its input has an access scope, which the pipe parses.
    if (permission !== null) {
      const permissions = rpc.getData<{ scope?: Partial<AccessScope> }>().scope?.permissions;
      if (!Array.isArray(permissions)) throw new Failure('invalid', `malformed ${name}: scope`);
      requirePermission({ permissions }, permission);
    }
    return true;
  }
}
