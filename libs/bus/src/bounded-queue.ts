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

export type Priority = 'urgent' | 'normal';

interface QueuedWork {
  begin(): void;
  reject(error: RejectedBeforeStart): void;
}

/**
 * Limits the work of a context: a fixed number runs at a time, more waits, the rest is rejected.
 * Urgent work starts before other work that waits, and does not count towards the limit of that.
 */
export class BoundedQueue {
  #running = 0;
  #closed = false;
  readonly #waiting: Record<Priority, QueuedWork[]> = { urgent: [], normal: [] };
  readonly #drained: (() => void)[] = [];

  /** @param onFull called for each work that is rejected because the queue is full */
  constructor(private readonly onFull: () => void = () => undefined) {}

  /** @throws {Failure} `overloaded` when the queue is full; {@link RejectedBeforeStart} when it is closed */
  async run<T>(work: () => Promise<T>, priority: Priority = 'normal'): Promise<T> {
    if (this.#closed) throw new RejectedBeforeStart();
    if (this.#running < concurrency) this.#running += 1;
    else await this.#turn(this.#waiting[priority]);
    try {
      return await work();
    } finally {
      // The next waiting work takes over this slot.
      const next = this.#waiting.urgent.shift() ?? this.#waiting.normal.shift();
      if (next) next.begin();
      else this.#leave();
    }
  }

  /** Rejects waiting work and all work that is added later. */
  close(): void {
    this.#closed = true;
    for (const waiting of Object.values(this.#waiting)) {
      for (const place of waiting.splice(0)) place.reject(new RejectedBeforeStart());
    }
  }

  /** Resolves when nothing runs and nothing waits. */
  async drained(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  async #turn(waiting: QueuedWork[]): Promise<void> {
    if (waiting.length >= queueLimit) {
      this.onFull();
      throw new Failure('overloaded', 'too many requests wait');
    }
    await new Promise<void>((resolve, reject) => waiting.push({ begin: resolve, reject: reject }));
  }

  #leave(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#drained.splice(0).forEach((resolve) => resolve());
  }
}
