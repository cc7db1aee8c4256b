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
 * Whether a key may hold more of what its realm shares: as long as it holds fewer than are left of the
 * realm's part, by its weight. It is the rule of {@link ShareOfRealm} within a realm.
 *
 * @param left how many the realm may still take
 */
export const isWithinShare = (held: number, left: number, keyWeight = 1): boolean =>
  left > 0 && held < left * mostOfWhatIsLeft * keyWeight;

/** How many more a key may take now, one after the other, by {@link isWithinShare}. */
export function untilShare(held: number, left: number, keyWeight = 1): number {
  const factor = mostOfWhatIsLeft * keyWeight;
  const more = Math.ceil((factor * left - held) / (1 + factor));
  return Math.max(0, Math.min(Math.floor(left), more));
}

interface Held {
  all: number;
  readonly byKey: Map<string, number>;
}

/** Counts the places that realms and their keys hold, of a number that they share. */
export class Places {
  readonly #realms = new Map<number, Held>();
  #held = 0;

  constructor(readonly count: number) {}

  /** How many are held. */
  get held(): number {
    return this.#held;
  }

  heldBy(realmId: number): number {
    return this.#realms.get(realmId)?.all ?? 0;
  }

  heldByKey({ realmId, key }: Holder): number {
    return this.#realms.get(realmId)?.byKey.get(key) ?? 0;
  }

  /** Whether a realm holds all that it may. */
  isShareHeld(realmId: number, share: ShareOfRealm): boolean {
    return this.#leftOfShare(realmId, share) <= 0;
  }

  /** Whether a key may take another place. */
  isFreeFor(holder: Holder, share: ShareOfRealm): boolean {
    const left = Math.min(this.#free, this.#leftOfShare(holder.realmId, share));
    return isWithinShare(this.heldByKey(holder), left, holder.keyWeight);
  }

  take({ realmId, key }: Holder): void {
    const realm = this.#realms.get(realmId) ?? { all: 0, byKey: new Map<string, number>() };
    this.#realms.set(realmId, realm);
    this.#held += 1;
    realm.all += 1;
    realm.byKey.set(key, (realm.byKey.get(key) ?? 0) + 1);
  }

  giveBack({ realmId, key }: Holder): void {
    const realm = this.#realms.get(realmId);
    const ofKey = realm?.byKey.get(key);
    if (!realm || ofKey === undefined) return;
    this.#held -= 1;
    realm.all -= 1;
    if (ofKey > 1) realm.byKey.set(key, ofKey - 1);
    else realm.byKey.delete(key);
    if (realm.all === 0) this.#realms.delete(realmId);
  }

  get #free(): number {
    return this.count - this.#held;
  }

  #leftOfShare(realmId: number, share: ShareOfRealm): number {
    return (share === 'fewer than are free' ? this.#free : share) - this.heldBy(realmId);
  }
}
