/** Answers what an app lacks to be of use, in words without secrets; nothing when all is there. */
export type FindFaults = () => Promise<readonly string[]>;

/** How an app is, as its management port tells it. */
export class Health {
  #findFaults: FindFaults | null = null;
  #stopping = false;

  /** The app has started; from now on `findFaults` decides whether it is ready. */
  begin(findFaults: FindFaults): void {
    this.#findFaults = findFaults;
  }

  /** The app stops, and is not ready any more. */
  end(): void {
    this.#stopping = true;
  }

  get hasStarted(): boolean {
    return this.#findFaults !== null;
  }

  /** Why the app should be given no work now; nothing when it is ready. */
  async faults(): Promise<readonly string[]> {
    if (this.#stopping) return ['it stops'];
    if (!this.#findFaults) return ['it starts'];
    return this.#findFaults();
  }
}
