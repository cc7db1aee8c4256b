import type { AnswerDelay } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';

/** Wrong credentials of a client that guesses. The answer is delayed, and holds no slot meanwhile. */
export class DelayedRefusal extends Failure {
  constructor(
    refusal: Failure,
    readonly delay: AnswerDelay,
  ) {
    super(refusal.code, refusal.message);
  }
}
