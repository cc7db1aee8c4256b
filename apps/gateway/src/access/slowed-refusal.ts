import { Failure } from '@registrar/contracts';

/** Wrong credentials of a client that guesses. The answer is delayed, and holds no slot meanwhile. */
export class SlowedRefusal extends Failure {
  constructor(
    refusal: Failure,
    readonly network: string,
    readonly delayMs: number,
  ) {
    super(refusal.code, refusal.message);
  }
}
