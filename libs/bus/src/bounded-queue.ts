import { Failure } from '@registrar/contracts';

/** The number of requests that a context runs at a time, and of those that may wait. */
const concurrency = 64;
const queueLimit = 2_000;

/** The failure of work that was rejected before it started: another replica may do it. */
export class RejectedBeforeStart extends Failure {
  constructor() {
    super('unavailable', 'the app is stopping');
  }
}

interface QueuedWork {
  begin(): void;
  reject(error: RejectedBeforeStart): void;
}

/** Limits the work of a context: a fixed number runs at a time, more waits, the rest is rejected. */
export class BoundedQueue {
  #running = 0;
  #closed = false;
  readonly #waiting: QueuedWork[] = [];
  readonly #drained: (() => void)[] = [];

  /** @param onFull called for each work that is rejected because the queue is full */
  constructor(private readonly onFull: () => void = () => undefined) {}

  /** @throws {Failure} `overloaded` when the queue is full; {@link RejectedBeforeStart} when it is closed */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new RejectedBeforeStart();
    if (this.#running < concurrency) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // The next waiting work takes over this slot.
      const next = this.#waiting.shift();
      if (next) next.begin();
      else this.#leave();
    }
  }

  /** Rejects waiting work and all work that is added later. */
  close(): void {
    this.#closed = true;
    for (const place of this.#waiting.splice(0)) place.reject(new RejectedBeforeStart());
  }

  /** Resolves when nothing runs and nothing waits. */
  async drained(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  async #turn(): Promise<void> {
    if (this.#waiting.length >= queueLimit) {
      this.onFull();
      throw new Failure('overloaded', 'too many requests wait');
    }
    await new Promise<void>((resolve, reject) =>
      this.#waiting.push({ begin: resolve, reject: reject }),
    );
  }

  #leave(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#drained.splice(0).forEach((resolve) => resolve());
  }
}
