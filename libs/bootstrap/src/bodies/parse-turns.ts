import { Failure } from '@registrar/contracts';
import { clock, FairQueue, type Owner } from '@registrar/platform';

/** Shorter bodies are parsed at once: bytes. Whatever they are, parsing them takes less than a millisecond. */
const smallBytes = 8 * 1024;

/** How long parsing rests after a body, in relation to the time that the body has taken. */
const restFactor = 3;

/**
 * One body is parsed at a time. Those of a realm wait for each other and not for those of another one, and the rests
 * between them leave three quarters of the event loop to everybody else.
 */
const limits = {
  running: 1,
  runningOfRealm: 1,
  waiting: 256,
  waitingOfRealm: 128,
  maxWaitMs: 10_000,
};

/** How many bodies of one key, window or client network wait. */
const waitingOfKey = 32;

/** When a request should be repeated that found too many waiting: seconds. */
const retryAfterSeconds = 5;

/** Whose body it is: a realm, or a provider application, with its key. */
export type BodyOwner = Pick<Owner, 'realmId' | 'key' | 'keyWeight' | 'weight'>;

/** Lets the bodies of realms take turns: parsing a large one holds up the event loop for milliseconds. */
export class ParseTurns {
  readonly #queue = new FairQueue(limits, ({ cause }) => {
    const code = cause === 'all' ? 'overloaded' : 'over-limit';
    const message = 'too many large bodies wait for being parsed';
    return new Failure(code, message, undefined, { retryAfterSeconds });
  });

  /**
   * Parses a body of so many bytes when it is its turn.
   *
   * @throws {Failure} `over-limit` or `overloaded` when too many wait, or after the longest wait
   */
  async parse<T>(owner: BodyOwner, bytes: number, work: () => T): Promise<T> {
    if (bytes <= smallBytes) return work();
    const account = { name: `${owner.realmId} ${owner.key}`, running: 1, waiting: waitingOfKey };
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const turn = async () => {
      const begun = clock.monotonic();
      // Its executor runs at once, and rejects with what it throws.
      resolve(new Promise<T>((parsed) => parsed(work())));
      await clock.sleep((clock.monotonic() - begun) * restFactor);
    };
    this.#queue.run({ ...owner, accounts: [account] }, turn).catch(reject);
    return promise;
  }
}
