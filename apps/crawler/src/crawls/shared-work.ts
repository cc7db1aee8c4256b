import { setTimeout as sleep } from 'node:timers/promises';

/** How long work waits for the same work before it, milliseconds: that may hang, and another try succeed. */
const maxWaitMs = 1_000;

/**
 * Does the same work once for all who ask for it before it begins. Who asks while it is being done gets the
 * next one, so that no result is older than the request for it.
 */
export class SharedWork<Result> {
  readonly #running = new Map<string, Promise<Result>>();
  readonly #waiting = new Map<string, Promise<Result>>();

  /** @param key identifies the work */
  do(key: string, work: () => Promise<Result>): Promise<Result> {
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    const running = this.#running.get(key);
    if (!running) return this.#begin(key, work);
    const next = this.#after(running).then(() => {
      this.#waiting.delete(key);
      return this.#begin(key, work);
    });
    this.#waiting.set(key, next);
    return next;
  }

  async #after(running: Promise<Result>): Promise<void> {
    const timer = new AbortController();
    const wait = sleep(maxWaitMs, undefined, { signal: timer.signal });
    // Its failure is that of those who share it.
    await Promise.race([running, wait]).catch(() => undefined);
    wait.catch(() => undefined);
    timer.abort();
  }

  #begin(key: string, work: () => Promise<Result>): Promise<Result> {
    const running = work().finally(() => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    });
    this.#running.set(key, running);
    return running;
  }
}
