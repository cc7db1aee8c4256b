import { Failure, type FailureCode } from '@registrar/contracts';

/**
 * A request that is rejected to protect others. Whoever rejects it counts it and logs at an interval:
 * a line for each would add to the load.
 */
export class ShedRequest extends Failure {
  constructor(
    code: Extract<FailureCode, 'overloaded' | 'over-limit'>,
    message: string,
    retryAfterSeconds: number,
  ) {
    super(code, message, undefined, { retryAfterSeconds });
  }
}
