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
   * Does the work of a call of a session.
   *
   * @throws {Failure} `over-limit`, `overloaded`
   */
  async run<T>(session: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.total >= maxOfAll) {
      throw new Failure('overloaded', 'the console is busy', undefined, { retryAfterSeconds: 1 });
    }
    const reason =
      this.#running.of(session) >= maxOfSession
        ? `more than ${maxOfSession} calls at a time`
        : this.#rates.left(session, callRate) < 1
          ? `more than ${callRate.refillPerSecond} calls per second`
          : null;
    if (reason !== null) {
      throw new Failure('over-limit', reason, undefined, { retryAfterSeconds: 1 });
    }
    this.#rates.spend(session, callRate, 1);
    this.#running.add(session, 1);
    try {
      return await work();
    } finally {
      this.#running.add(session, -1);
    }
  }
}
