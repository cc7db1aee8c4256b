import { Failure } from '#libs/contracts';

/** How many requests a context works on at a time, and how many more may wait. */
const atWork = 64;
const waiting = 2_000;

/** Keeps a context from drowning: work beyond its measure waits, and beyond that is turned away. */
export class WaitingLine {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #drained: (() => void)[] = [];

  /** @throws {Failure} `overloaded` when the line is full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= atWork) {
      if (this.#waiting.length >= waiting)
        throw new Failure('overloaded', 'too many requests wait');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      const next = this.#waiting.shift();
      if (next) next();
      else if (this.#running === 0) this.#drained.splice(0).forEach((resolve) => resolve());
    }
  }

  /** Resolves when nothing runs and nothing waits. */
  async drained(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }
}
