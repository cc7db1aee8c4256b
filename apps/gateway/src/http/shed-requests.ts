import { clock } from '@registrar/platform';

/** The window in which requests that are shed for one reason are counted, and how many reasons have one at a time. */
const windowMs = 10_000;
const maxWindows = 1_000;

/** Counts the requests that are shed for one reason, which names the client: a line for each would add to the load. */
export class ShedRequests {
  /** How many follow the first one of each window. */
  readonly #more = new Map<string, number>();

  /** @param report called at the end of a window in which others followed the first one */
  constructor(private readonly report: (reason: string, more: number) => void) {}

  /** Counts a request. @returns whether it is the first of its window, which has a line of its own */
  isFirst(reason: string): boolean {
    const more = this.#more.get(reason);
    if (more !== undefined) {
      this.#more.set(reason, more + 1);
      return false;
    }
    if (this.#more.size >= maxWindows) return false;
    this.#more.set(reason, 0);
    clock.schedule(windowMs, () => this.#end(reason));
    return true;
  }

  #end(reason: string): void {
    const more = this.#more.get(reason) ?? 0;
    this.#more.delete(reason);
    if (more > 0) this.report(reason, more);
  }
}
