import { Failure } from '@registrar/contracts';
import { Counts, TokenBuckets } from '@registrar/platform';
import { Injectable } from '@nestjs/common';

/** The most calls that run at a time: of a session, and of all. */
const maxOfSession = 16;
const maxOfAll = 256;

/** Calls of a session: several pages that are opened at once, and far more than a person makes in the long run. */
const callRate = { capacity: 100, refillPerSecond: 20 };

/** Bounds the calls of each session, so that no user takes the console from others. */
@Injectable()
export class CallLimits {
  readonly #running = new Counts<string>();
  readonly #rates = new TokenBuckets();

  /**
   * Counts a call before anything is looked up for it, the session included.
   *
   * @param session the hash of a session's token, whether the session exists or not
   * @returns how long the client is to wait with its next call: seconds; 0 for a call within the rate
   */
  count(session: string): number {
    const left = this.#rates.left(session, callRate);
    if (left < 1) return Math.ceil((1 - left) / callRate.refillPerSecond);
    this.#rates.spend(session, callRate, 1);
    return 0;
  }

  /**
   * Does the work of a call of a session.
   *
   * @throws {Failure} `over-limit`, `overloaded`
   */
  async run<T>(session: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.total >= maxOfAll) {
      throw new Failure('overloaded', 'the console is busy', undefined, { retryAfterSeconds: 1 });
    }
    if (this.#running.of(session) >= maxOfSession) {
      const reason = `more than ${maxOfSession} calls at a time`;
      throw new Failure('over-limit', reason, undefined, { retryAfterSeconds: 1 });
    }
    this.#running.add(session, 1);
    try {
      return await work();
    } finally {
      this.#running.add(session, -1);
    }
  }
}
