import { Failure } from '#libs/contracts';

/** How many requests a context works on at a time, and how many more may wait. */
const atWork = 64;
const waitingLimit = 2_000;

/** Work that was sent away before it was begun, so that somebody else can do it. */
export class NotBegun extends Failure {
  constructor() {
    super('unavailable', 'the app stops');
  }
}

interface Place {
  begin(): void;
  sendAway(error: NotBegun): void;
}

/** Keeps a context from drowning: work beyond its measure waits, and beyond that is turned away. */
export class WaitingLine {
  #running = 0;
  #closed = false;
  readonly #waiting: Place[] = [];
  readonly #drained: (() => void)[] = [];

  /** @param turnedAway called for work that finds the line full */
  constructor(private readonly turnedAway: () => void = () => undefined) {}

  /** @throws {Failure} `overloaded` when the line is full; {@link NotBegun} when it is closed */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new NotBegun();
    if (this.#running < atWork) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // Whoever is next takes over the place at work.
      const next = this.#waiting.shift();
      if (next) next.begin();
      else this.#leave();
    }
  }

  /** Sends away the work that waits, and all that comes later. */
  close(): void {
    this.#closed = true;
    for (const place of this.#waiting.splice(0)) place.sendAway(new NotBegun());
  }

  /** Resolves when nothing runs and nothing waits. */
  async drained(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  async #turn(): Promise<void> {
    if (this.#waiting.length >= waitingLimit) {
      this.turnedAway();
      throw new Failure('overloaded', 'too many requests wait');
    }
    await new Promise<void>((resolve, reject) =>
      this.#waiting.push({ begin: resolve, sendAway: reject }),
    );
  }

  #leave(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#drained.splice(0).forEach((resolve) => resolve());
  }
}
