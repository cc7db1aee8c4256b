/** How a call goes wrong: it never gets there, or its answer never comes back. */
export type Fault = 'not sent' | 'not answered';

/** Where a flow is struck, and what by. */
export interface Strike {
  /** The first call is 1. */
  readonly at: number;
  readonly fault: Fault;
  /** The process dies of it: from then on it reaches nothing. */
  readonly kills: boolean;
}

/**
 * Counts the calls that leave a process (statements, requests over the bus, calls of the provider)
 * and says what becomes of each.
 */
export class CallPoints {
  /** The process has been killed. */
  dead = false;
  /** The calls since the last strike was prepared. */
  readonly calls: string[] = [];
  #strike: Strike | null = null;
  #struck = Promise.withResolvers<void>();
  readonly #onDeath: (() => void)[] = [];

  /** @returns what resolves when it has struck */
  prepare(strike: Strike): Promise<void> {
    this.calls.length = 0;
    this.#strike = strike;
    this.#struck = Promise.withResolvers();
    return this.#struck.promise;
  }

  /** Nothing strikes any more. */
  disarm(): void {
    this.#strike = null;
  }

  onDeath(listener: () => void): void {
    this.#onDeath.push(listener);
  }

  /** To be asked before each call: the fault that it meets, if any. */
  next(call: string): Fault | null {
    if (this.dead) return 'not sent';
    this.calls.push(call);
    const strike = this.#strike;
    if (!strike || this.calls.length !== strike.at) return null;
    this.#strike = null;
    if (strike.kills) {
      // The call itself may still get through; all others end here.
      this.dead = true;
      for (const listener of this.#onDeath) listener();
    }
    this.#struck.resolve();
    return strike.fault;
  }
}
