import { clock } from './clock.ts';
import type { Holder } from './places.ts';

/** How long somebody counts as active after their last request: milliseconds. */
const activeMs = 1_000;

/** How many are remembered: enough to find one with little work among those with much. */
const maxRemembered = 64;

interface Seen {
  readonly holder: Holder;
  readonly at: number;
}

/** Remembers who asked last. */
export class RecentHolders {
  /** By their names, the newest last. */
  readonly #seen = new Map<string | number, Seen>();

  /** @param name of the holder, or of those whom it stands for */
  note(name: string | number, holder: Holder): void {
    this.#seen.delete(name);
    this.#seen.set(name, { holder, at: clock.monotonic() });
    if (this.#seen.size <= maxRemembered) return;
    const [oldest] = this.#seen.keys();
    if (oldest !== undefined) this.#seen.delete(oldest);
  }

  /**
   * Whether somebody of another name is active, who has work or has asked in the last second, and has at most half as
   * much work as a holder.
   *
   * @param workOf how much work somebody has
   */
  hasLighter(name: string | number, holder: Holder, workOf: (holder: Holder) => number): boolean {
    const most = workOf(holder) / 2;
    const since = clock.monotonic() - activeMs;
    for (const [other, { holder: another, at }] of this.#seen) {
      const work = workOf(another);
      if (other !== name && work <= most && (work > 0 || at >= since)) return true;
    }
    return false;
  }
}
