/** A pause that has not ended. */
interface Sleeper {
  readonly endsAt: number;
  wake(): void;
}

/** `setTimeout` rounds longer delays down to 1 ms. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The time of this process: every time and every pause in code comes from the one instance,
 * {@link clock}. Suites step it, together with the time in SQL, by `stepTime` of
 * `@registrar/persistence/testing`, instead of waiting.
 */
export class Clock {
  #steppedMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  /** The milliseconds by which suites have stepped this clock. */
  get steppedMs(): number {
    return this.#steppedMs;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.#steppedMs;
  }

  date(): Date {
    return new Date(this.now());
  }

  /** Milliseconds since some moment, for durations: corrections of the system's clock do not change it. */
  monotonic(): number {
    return performance.now() + this.#steppedMs;
  }

  /**
   * Resolves after a pause.
   *
   * @param ms the length of the pause: milliseconds
   * @param signal ends the pause early; it resolves then too
   */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const cancel = this.schedule(ms, done);
      function done() {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      }
      signal?.addEventListener('abort', done);
    });
  }

  /**
   * Calls `task` once after a pause.
   *
   * @param ms the length of the pause: milliseconds
   * @returns a function that cancels the call
   */
  schedule(ms: number, task: () => void): () => void {
    const end = () => {
      clearTimeout(timer);
      this.#sleepers.delete(sleeper);
    };
    const wake = () => {
      end();
      task();
    };
    const sleeper = { endsAt: this.monotonic() + ms, wake };
    const timer = setTimeout(wake, Math.min(Math.max(ms, 0), longestTimerMs));
    this.#sleepers.add(sleeper);
    return end;
  }

  /**
   * A signal that is aborted with a `TimeoutError` after a pause, as by `AbortSignal.timeout`.
   *
   * @param ms the length of the pause: milliseconds
   * @returns the signal, and a function that cancels the timeout
   */
  timeout(ms: number): { readonly signal: AbortSignal; readonly cancel: () => void } {
    const controller = new AbortController();
    const abort = () => controller.abort(new DOMException('the time is over', 'TimeoutError'));
    return { signal: controller.signal, cancel: this.schedule(ms, abort) };
  }

  /** For suites: moves the time forward by so many milliseconds, and ends the pauses that end by then. */
  step(ms: number): void {
    this.#steppedMs += ms;
    const now = this.monotonic();
    const due = [...this.#sleepers].filter(({ endsAt }) => endsAt <= now);
    for (const sleeper of due.sort((a, b) => a.endsAt - b.endsAt)) {
      if (this.#sleepers.has(sleeper)) sleeper.wake();
    }
  }

  /** For suites: sets the time back to the system's. */
  reset(): void {
    this.#steppedMs = 0;
  }
}

/** The clock of this process. */
export const clock = new Clock();
