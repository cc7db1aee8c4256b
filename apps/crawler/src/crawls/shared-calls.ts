import { Failure } from '@registrar/contracts';
import { clock, withDeadline } from '@registrar/platform';

interface SharedCall<Result> extends PromiseWithResolvers<Result> {
  readonly perform: (deadline: number) => Promise<Result>;
  /** The latest deadline of those who share the call: milliseconds since the epoch. */
  deadline: number;
}

/**
 * Shares calls between callers that need the same result at the same time. A call that has begun is not shared,
 * because its result may be older than the request for it: for each key, one call is in flight, and one next call
 * is shared by all who ask meanwhile. The next call begins when the one in flight has ended.
 */
export class SharedCalls<Result> {
  /** The next call of each key with a call in flight; null while none is needed. */
  readonly #next = new Map<string, SharedCall<Result> | null>();

  /** The number of keys with a call in flight. */
  get size(): number {
    return this.#next.size;
  }

  /**
   * Returns the result of a call that begins after this request, or its failure.
   *
   * @param key identifies what is called
   * @param deadline until when the caller waits: milliseconds since the epoch. The call goes on for those who
   * share it and have a later one
   * @param perform makes the call, unless another caller's `perform` makes it, until the latest deadline of those
   * who share it
   * @throws {Failure} `expired` at the deadline
   */
  request(
    key: string,
    deadline: number,
    perform: (deadline: number) => Promise<Result>,
  ): Promise<Result> {
    const call: SharedCall<Result> = this.#next.get(key) ?? {
      ...Promise.withResolvers<Result>(),
      perform,
      deadline,
    };
    call.deadline = Math.max(call.deadline, deadline);
    if (this.#next.has(key)) this.#next.set(key, call);
    else void this.#performAll(key, call);
    return withDeadline(call.promise, deadline, 'the shared call');
  }

  /** Performs a call, and those that are requested until it has ended. */
  async #performAll(key: string, first: SharedCall<Result>): Promise<void> {
    for (let call: SharedCall<Result> | null = first; call; call = this.#next.get(key) ?? null) {
      this.#next.set(key, null);
      try {
        // Nobody waits for it any more.
        if (call.deadline <= clock.now())
          throw new Failure('expired', 'the shared call is too late');
        call.resolve(await call.perform(call.deadline));
      } catch (error) {
        call.reject(error);
      }
    }
    this.#next.delete(key);
  }
}
