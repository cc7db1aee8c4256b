/**
 * The free seats of a licence, by course (decision 25). A course without an entry has none. Taken
 * and given back while the invitation is locked, so that no seat is sold twice.
 */
export class Seats {
  readonly #free: Map<string, number>;
  readonly #before: ReadonlyMap<string, number>;

  constructor(free: ReadonlyMap<string, number>) {
    this.#before = free;
    this.#free = new Map(free);
  }

  /** Whether the licence was ever given seats for the course. */
  isFor(courseGuid: string): boolean {
    return this.#before.has(courseGuid);
  }

  /** Takes a seat, if one is free. */
  take(courseGuid: string): boolean {
    const free = this.#free.get(courseGuid) ?? 0;
    if (free === 0) return false;
    this.#free.set(courseGuid, free - 1);
    return true;
  }

  giveBack(courseGuid: string): void {
    const free = this.#free.get(courseGuid);
    if (free !== undefined) this.#free.set(courseGuid, free + 1);
  }

  /** How the free seats of each course have changed, where they have. */
  changes(): Map<string, number> {
    const all = [...this.#free].map(
      ([guid, free]) => [guid, free - this.#before.get(guid)!] as const,
    );
    return new Map(all.filter(([, change]) => change !== 0));
  }
}
