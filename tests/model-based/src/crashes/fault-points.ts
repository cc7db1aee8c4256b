/** The fault of a call: its request is lost, or its response. */
export type Fault = 'not sent' | 'not answered';

/** A fault to inject, and its place in the flow. */
export interface FaultInjection {
  /** The number of the call; the first call is 1. */
  readonly at: number;
  readonly fault: Fault;
  /** Whether the process is killed: then all its later calls fail. */
  readonly kills: boolean;
}

/**
 * Counts the calls that leave a process (statements, requests over the bus, calls of the provider)
 * and injects a fault into one of them.
 */
export class FaultPoints {
  /** The process has been killed. */
  killed = false;
  /** The calls since the last fault was armed. */
  readonly calls: string[] = [];
  #armed: FaultInjection | null = null;
  #injected = Promise.withResolvers<void>();
  readonly #onDeath: (() => void)[] = [];

  /**
   * Arms a fault.
   *
   * @returns a promise that resolves when the fault was injected
   */
  arm(fault: FaultInjection): Promise<void> {
    this.calls.length = 0;
    this.#armed = fault;
    this.#injected = Promise.withResolvers();
    return this.#injected.promise;
  }

  /** Cancels the armed fault. */
  disarm(): void {
    this.#armed = null;
  }

  onKill(listener: () => void): void {
    this.#onDeath.push(listener);
  }

  /** Registers a call before it is sent; returns its fault, if any. */
  next(call: string): Fault | null {
    if (this.killed) return 'not sent';
    this.calls.push(call);
    const armed = this.#armed;
    if (!armed || this.calls.length !== armed.at) return null;
    this.#armed = null;
    if (armed.kills) {
      // The call itself may still be sent; all later calls fail.
      this.killed = true;
      for (const listener of this.#onDeath) listener();
    }
    this.#injected.resolve();
    return armed.fault;
  }
}
