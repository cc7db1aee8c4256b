import { clock } from './clock.ts';
import { LRUCache } from 'lru-cache';

/** How much may be spent at once, and how soon it may be spent again. */
export interface BucketSize {
  readonly capacity: number;
  readonly refillPerSecond: number;
}

interface Account {
  readonly spent: number;
  /** When `spent` was true: milliseconds of the monotonic clock. */
  readonly at: number;
}

/** Beyond so many accounts, the ones that have spent nothing for the longest time are forgotten. */
const maxAccounts = 20_000;

/**
 * What callers have spent lately, each from a bucket of its own that refills steadily. A bucket's
 * size may change from one call to the next.
 */
export class TokenBuckets {
  readonly #accounts = new LRUCache<string, Account>({ max: maxAccounts });

  /** What the account may spend now; negative if it has spent more than it had. */
  left(account: string, size: BucketSize): number {
    return size.capacity - this.#spent(account, size);
  }

  spend(account: string, size: BucketSize, cost: number): void {
    if (cost <= 0) return;
    this.#accounts.set(account, {
      spent: this.#spent(account, size) + cost,
      at: clock.monotonic(),
    });
  }

  /** Undoes a {@link spend}. */
  giveBack(account: string, size: BucketSize, cost: number): void {
    const spent = Math.max(0, this.#spent(account, size) - cost);
    this.#accounts.set(account, { spent, at: clock.monotonic() });
  }

  #spent(account: string, { refillPerSecond }: BucketSize): number {
    const known = this.#accounts.get(account);
    if (!known) return 0;
    const refilled = ((clock.monotonic() - known.at) / 1_000) * refillPerSecond;
    return Math.max(0, known.spent - refilled);
  }
}
