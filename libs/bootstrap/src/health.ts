/** Resolves with the reasons why an app is not ready, without secrets; an empty list when it is. */
export type ReadinessCheck = () => Promise<readonly string[]>;

/** The health of an app, which its management port serves. */
export class Health {
  #findFaults: ReadinessCheck | null = null;
  #stopping = false;

  /** Marks the app as started; from now on `findFaults` decides whether it is ready. */
  markStarted(findFaults: ReadinessCheck): void {
    this.#findFaults = findFaults;
  }

  /** Marks the app as stopping: it is no longer ready. */
  markStopping(): void {
    this.#stopping = true;
  }

  get hasStarted(): boolean {
    return this.#findFaults !== null;
  }

  /** Resolves with the reasons why the app is not ready; an empty list when it is. */
  async faults(): Promise<readonly string[]> {
    if (this.#stopping) return ['the app is stopping'];
    if (!this.#findFaults) return ['the app is starting'];
    return this.#findFaults();
  }
}
