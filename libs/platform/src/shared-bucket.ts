import { LRUCache } from 'lru-cache';
import { clock } from './clock.ts';
import { type Holder, untilShare } from './places.ts';
import type { BucketSize } from './token-buckets.ts';

/** A key that has spent less is forgotten, so that there are no more keys than tokens. */
const leastSpent = 0.5;

/** The shortest time between two refills, each of which goes through all keys: milliseconds. */
const refillIntervalMs = 10;

/** Beyond so many realms, the ones that have spent nothing for the longest time are forgotten. */
const maxRealms = 20_000;

/**
 * The tokens of a realm, which its keys share: a key gets another one as long as it has spent fewer of
 * those that have not been refilled than are left, by its weight. So a key that takes all it can leaves
 * some for the others. A refill gives back to all keys, in proportion to what they have spent.
 */
class SharedBucket {
  readonly #spentBy = new Map<string, number>();
  #spent = 0;
  #refilledAt = clock.monotonic();

  /** What a key may spend now. */
  leftFor({ key, keyWeight }: Holder, { capacity, refillPerSecond }: BucketSize): number {
    this.#refill(refillPerSecond);
    return untilShare(this.#spentBy.get(key) ?? 0, capacity - this.#spent, keyWeight);
  }

  spend({ key }: Holder, cost: number): void {
    if (cost <= 0) return;
    this.#spent += cost;
    this.#spentBy.set(key, (this.#spentBy.get(key) ?? 0) + cost);
  }

  #refill(perSecond: number): void {
    const now = clock.monotonic();
    const elapsedMs = now - this.#refilledAt;
    if (elapsedMs < refillIntervalMs) return;
    // Also of a full bucket: what is spent next is not refilled by the time before it.
    this.#refilledAt = now;
    if (this.#spent === 0) return;
    const spent = Math.max(0, this.#spent - (elapsedMs / 1_000) * perSecond);
    const kept = spent / this.#spent;
    for (const [key, before] of this.#spentBy) {
      if (before * kept < leastSpent) this.#spentBy.delete(key);
      else this.#spentBy.set(key, before * kept);
    }
    this.#spent = spent;
  }
}

/** What realms have spent lately, each from a {@link SharedBucket} of its own. */
export class SharedBuckets {
  readonly #buckets = new LRUCache<number, SharedBucket>({
    max: maxRealms,
    memoMethod: () => new SharedBucket(),
  });

  /** What a key of a realm may spend now. */
  leftFor(holder: Holder, size: BucketSize): number {
    return this.#buckets.memo(holder.realmId).leftFor(holder, size);
  }

  spend(holder: Holder, cost = 1): void {
    this.#buckets.memo(holder.realmId).spend(holder, cost);
  }
}
