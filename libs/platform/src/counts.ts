/** Counts by names. A name of which nothing is left is forgotten. */
export class Counts<Name> {
  readonly #counts = new Map<Name, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(name: Name): number {
    return this.#counts.get(name) ?? 0;
  }

  /** @param more may be negative */
  add(name: Name, more: number): void {
    const count = this.of(name) + more;
    this.#total += more;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
  }
}
