/** How much time may be spent, and how soon it may be spent again. */
export interface BudgetSize {
  /** Milliseconds that may be spent at once. */
  readonly capacityMs: number;
  /** Milliseconds that come back in each second. */
  readonly refillMsPerSecond: number;
}

interface Account {
  spentMs: number;
  /** When `spentMs` was true: milliseconds since the epoch. */
  at: number;
}

/** The number of accounts that makes it worthwhile to look for those that are whole again. */
const pruneAbove = 10_000;

/** The time that callers have spent lately, each on an account of its own. */
export class CostBudget {
  readonly #accounts = new Map<string, Account>();

  constructor(
    private readonly size: BudgetSize,
    private readonly now: () => number = Date.now,
  ) {}

  /** Whether the account has time left. One that spends more than it has pays back first. */
  hasLeft(account: string): boolean {
    return this.#spent(account) < this.size.capacityMs;
  }

  spend(account: string, costMs: number): void {
    if (costMs <= 0) return;
    if (this.#accounts.size >= pruneAbove) this.#prune();
    this.#accounts.set(account, { spentMs: this.#spent(account) + costMs, at: this.now() });
  }

  #spent(account: string): number {
    const known = this.#accounts.get(account);
    if (!known) return 0;
    const refilledMs = ((this.now() - known.at) / 1_000) * this.size.refillMsPerSecond;
    return Math.max(0, known.spentMs - refilledMs);
  }

  #prune(): void {
    for (const account of this.#accounts.keys()) {
      if (this.#spent(account) === 0) this.#accounts.delete(account);
    }
  }
}
