import { Failure } from '@registrar/contracts';
import {
  type Account,
  FairQueue,
  type FairQueueLimits,
  type Rejection,
  TokenBuckets,
} from '@registrar/platform';
import { Injectable } from '@nestjs/common';

/** How many calls of all sessions run and wait. Sessions take turns, as keys of one realm do. */
const queueLimits: FairQueueLimits = {
  running: 256,
  runningOfRealm: Infinity,
  waiting: 256,
  waitingOfRealm: Infinity,
  maxWaitMs: 10_000,
};

/**
 * The calls of one session: those of several pages that are opened at once. While a session with less work is active, it
 * makes 3 at a time, and the place of each rests after its call. Three, so that one slow call does not hold up a page.
 */
const ofSession: Omit<Account, 'name'> = {
  running: 16,
  besideLighter: { others: 'keys', running: 3, rest: 2 },
  waiting: 32,
};

/** Calls of a session: several pages that are opened at once, and far more than a person makes in the long run. */
const callRate = { capacity: 100, refillPerSecond: 20 };

/** Bounds the calls of each session, so that no user takes the console from others. */
@Injectable()
export class CallLimits {
  readonly #queue = new FairQueue(queueLimits, toFailure);
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
   * Does the work of a call of a session when it is its turn.
   *
   * @throws {Failure} `over-limit` when too many calls of the session wait, or its places stay taken for 10 seconds;
   * `overloaded` when too many calls of all sessions wait, or all places stay taken
   */
  run<T>(session: string, work: () => Promise<T>): Promise<T> {
    const accounts = [{ name: session, ...ofSession }];
    return this.#queue.run({ realmId: everyRealm, key: session, accounts }, work);
  }
}

/** Sessions of all realms take turns. */
const everyRealm = 0;

const toFailure = ({ cause }: Rejection) =>
  cause === 'all'
    ? new Failure('overloaded', 'the console is busy', undefined, { retryAfterSeconds: 1 })
    : new Failure('over-limit', 'too many calls at a time', undefined, { retryAfterSeconds: 1 });
