import { AsyncLocalStorage } from 'node:async_hooks';
import { clock } from './clock.ts';

/** How long a process counts as active after a message or a request: milliseconds. */
const activeMs = 10_000;

/** Two lengths of a pause between two looks for work: milliseconds. */
export interface Pace {
  /** While the process is active. */
  readonly everyMs: number;
  /** While it is at rest. */
  readonly restMs: number;
}

/**
 * Whether this process is active: whether it has received a message of the bus or an HTTP request within the last
 * ten seconds. Loops that look for work in the database look less often while it is not, because work is made due by
 * messages and requests. What becomes due by time, or was left by a process that died, waits for the longer pause.
 */
export class Activity {
  #until = -Infinity;
  readonly #listeners = new Set<() => void>();

  get isAtRest(): boolean {
    return clock.monotonic() >= this.#until;
  }

  /** Notes that there is something to do. */
  note(): void {
    const begins = this.isAtRest;
    this.#until = clock.monotonic() + activeMs;
    if (begins) for (const listener of this.#listeners) listener();
  }

  /**
   * Calls a listener whenever a rest ends, in the asynchronous context of this call: a rest may end within a
   * transaction, and what the listener starts must not run in it.
   *
   * @returns a function that removes the listener
   */
  onBegin(listener: () => void): () => void {
    const bound = AsyncLocalStorage.bind(listener);
    this.#listeners.add(bound);
    return () => void this.#listeners.delete(bound);
  }

  /** Returns the length of a pause that begins now. */
  pauseMs({ everyMs, restMs }: Pace): number {
    return this.isAtRest ? restMs : everyMs;
  }

  /**
   * Calls `task` once after a pause, which becomes the shorter one when a rest ends.
   *
   * @returns a function that cancels the call
   */
  schedule(pace: Pace, task: () => void): () => void {
    const endsAt = clock.monotonic() + this.pauseMs(pace);
    const after = (ms: number) =>
      clock.schedule(ms, () => {
        stopListening();
        task();
      });
    let cancel = after(this.pauseMs(pace));
    const stopListening = this.onBegin(() => {
      cancel();
      cancel = after(Math.min(pace.everyMs, endsAt - clock.monotonic()));
    });
    return () => {
      stopListening();
      cancel();
    };
  }
}

/** The activity of this process. */
export const activity = new Activity();
