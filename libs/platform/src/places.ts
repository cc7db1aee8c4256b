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

/** Who holds places: a realm, and within it a key, or a user with all of their keys. */
export interface Holder {
  readonly realmId: number;
  /** Identifies the holder within its realm. */
  readonly key: string;
  /** The key's part of its realm in relation to those of other keys; 1 by default, and at most. */
  readonly keyWeight?: number | undefined;
}

/**
 * How many places one realm may hold. `fewer than are free`: a realm gets another place as long as it
 * holds fewer than are free. So one realm alone has half of the places, and the next ones half of the
 * rest: a realm that takes all it can leaves some for the others (Choudhury and Hahne, Dynamic Queue
 * Length Thresholds, 1998).
 */
export type ShareOfRealm = number | 'fewer than are free';

/** What a key of weight 1 may hold, in relation to what it leaves to the other keys of its realm. */
const mostOfWhatIsLeft = 8;

/**
 * How many more a key may take now, one after the other, of what its realm shares: it may take another one as long as
 * it holds fewer than are left of the realm's part, by its weight. It is the rule of {@link ShareOfRealm} within a realm.
 *
 * @param left how many the realm may still take
 */
export function untilShare(held: number, left: number, keyWeight = 1): number {
  const factor = mostOfWhatIsLeft * keyWeight;
  const more = Math.ceil((factor * left - held) / (1 + factor));
  return Math.max(0, Math.min(Math.floor(left), more));
}

/** Counts the places that realms and their keys hold, of a number that they share. */
export class Places {
  /** By realm, and within it by key. */
  readonly #realms = new Map<number, Counts<string>>();
  #held = 0;

  constructor(readonly count: number) {}

  /** How many are held. */
  get held(): number {
    return this.#held;
  }

  heldBy(realmId: number): number {
    return this.#realms.get(realmId)?.total ?? 0;
  }

  heldByKey({ realmId, key }: Holder): number {
    return this.#realms.get(realmId)?.of(key) ?? 0;
  }

  /** Whether a realm holds all that it may. */
  isShareHeld(realmId: number, share: ShareOfRealm): boolean {
    return this.#leftOfShare(realmId, share) <= 0;
  }

  /** Whether a key may take another place. */
  isFreeFor(holder: Holder, share: ShareOfRealm): boolean {
    const left = Math.min(this.#free, this.#leftOfShare(holder.realmId, share));
    return untilShare(this.heldByKey(holder), left, holder.keyWeight) > 0;
  }

  take({ realmId, key }: Holder, places = 1): void {
    const realm = this.#realms.get(realmId) ?? new Counts();
    this.#realms.set(realmId, realm);
    realm.add(key, places);
    this.#held += places;
  }

  /** Changes nothing for a holder of none. */
  giveBack(holder: Holder, places = 1): void {
    if (this.heldByKey(holder) === 0) return;
    this.take(holder, -places);
    if (this.heldBy(holder.realmId) === 0) this.#realms.delete(holder.realmId);
  }

  get #free(): number {
    return this.count - this.#held;
  }

  #leftOfShare(realmId: number, share: ShareOfRealm): number {
    return (share === 'fewer than are free' ? this.#free : share) - this.heldBy(realmId);
  }
}
