import { clock } from './clock.ts';
import { Counts, type Holder } from './places.ts';

/** Somebody with a limit of their own, such as an address: their work may be that of several realms. */
export interface Account {
  readonly name: string;
  /** How much of the account runs at a time. */
  readonly running: number;
  readonly besideLighter?: LimitBesideLighter;
  /** How much of the account's optional work waits at a time. */
  readonly waiting: number;
}

/**
 * What an account may use while somebody is active who has at most half as much work, so that it leaves them processors.
 * Those who have more compete with the account, and take turns with it.
 */
export interface LimitBesideLighter {
  /** Who they are: other realms, or also other keys and users of the realm. */
  readonly others: 'realms' | 'keys';
  /** How much of the account runs at a time. */
  readonly running: number;
  /** How long a place rests after its work, in times of what that took, up to half a second; 0 by default. */
  readonly rest?: number;
}

/** How much work somebody has in a queue. */
export interface WorkInQueue {
  ofRealm(holder: Holder): number;
  ofKey(holder: Holder): number;
}

/** Work that takes long waits for others, such as a slow provider, more than it uses processors. */
const maxRestMs = 500;

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

/** Counts what runs and waits of the accounts of a queue, and holds it to their limits. */
export class QueueAccounts {
  readonly #running = new Counts<string>();
  readonly #waiting = new Counts<string>();
  readonly #recentRealms = new RecentHolders();
  readonly #recentKeys = new RecentHolders();

  constructor(private readonly work: WorkInQueue) {}

  /** Notes that somebody is active. */
  note(holder: Holder): void {
    this.#recentRealms.note(holder.realmId, holder);
    this.#recentKeys.note(holder.key, holder);
  }

  /** Whether one more may run of each account. */
  areFreeFor(holder: Holder, accounts: readonly Account[]): boolean {
    return accounts.every(
      (account) => this.#running.of(account.name) < this.#limitOf(holder, account),
    );
  }

  take(accounts: readonly Account[]): void {
    for (const { name } of accounts) this.#running.add(name, 1);
  }

  giveBack(accounts: readonly Account[]): void {
    for (const { name } of accounts) this.#running.add(name, -1);
  }

  /** Whether one more may wait of each account. */
  mayWait(accounts: readonly Account[]): boolean {
    return accounts.every(({ name, waiting }) => this.#waiting.of(name) < waiting);
  }

  /** Counts work that waits. */
  beginWaiting(accounts: readonly Account[]): void {
    for (const { name } of accounts) this.#waiting.add(name, 1);
  }

  endWaiting(accounts: readonly Account[]): void {
    for (const { name } of accounts) this.#waiting.add(name, -1);
  }

  /** How long a place rests after work that took so long: milliseconds. */
  restAfter(workMs: number, holder: Holder, accounts: readonly Account[]): number {
    const rests = accounts.map(({ besideLighter: limit }) =>
      limit?.rest && this.#isBesideLighter(holder, limit) ? limit.rest : 0,
    );
    return Math.min(maxRestMs, workMs * Math.max(0, ...rests));
  }

  #limitOf(holder: Holder, { running, besideLighter }: Account): number {
    return besideLighter && this.#isBesideLighter(holder, besideLighter)
      ? besideLighter.running
      : running;
  }

  #isBesideLighter(holder: Holder, { others }: LimitBesideLighter): boolean {
    return others === 'realms'
      ? this.#recentRealms.hasLighter(holder.realmId, holder, (each) => this.work.ofRealm(each))
      : this.#recentKeys.hasLighter(holder.key, holder, (each) => this.work.ofKey(each));
  }
}
