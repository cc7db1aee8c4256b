import { clock } from './clock.ts';

/** How long somebody counts as active after their last request: milliseconds. */
const activeMs = 1_000;

interface Seen {
  readonly name: string;
  at: number;
}

/** Remembers which two asked last, which is enough to tell whether anybody is alone. */
export class RecentHolders {
  #newest: Seen | undefined;
  /** The newest of another name. */
  #other: Seen | undefined;

  note(name: string): void {
    const at = clock.monotonic();
    if (this.#newest?.name === name) {
      this.#newest.at = at;
      return;
    }
    this.#other = this.#newest;
    this.#newest = { name, at };
  }

  /** Whether nobody of another name has asked in the last second. */
  isAlone(name: string): boolean {
    const other = this.#newest?.name === name ? this.#other : this.#newest;
    return other === undefined || clock.monotonic() - other.at > activeMs;
  }
}
