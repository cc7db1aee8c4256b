import type { Failure } from '@registrar/contracts';
import { remainingTimeMs } from './request-context.ts';

/** Who work is done for. Realms share the places of a queue, and keys those of their realm. */
export interface Owner {
  readonly realmId: number;
  /** Identifies the access within its realm. */
  readonly key: string;
  /** The realm's part of a loaded queue in relation to others; 1 by default. */
  readonly weight?: number | undefined;
  /** How much of the realm runs at a time, in place of the queue's limit. */
  readonly running?: number | undefined;
}

/** How much runs and waits at a time. */
export interface FairQueueLimits {
  readonly running: number;
  /**
   * `fewer than are free`: a realm runs more as long as it runs fewer than are free. So one realm alone
   * has half of the places, and the next ones half of the rest: a realm that takes all it can leaves some
   * for the others (Choudhury and Hahne, Dynamic Queue Length Thresholds, 1998).
   */
  readonly runningOfRealm: number | 'fewer than are free';
  readonly waiting: number;
  readonly waitingOfRealm: number;
  /** How long optional work waits at most, but no longer than until its deadline. */
  readonly maxWaitMs: number;
}

/** Whose work is rejected, and why: the realm has too much of it, or all realms together have. */
export interface Rejection {
  readonly realmId: number;
  readonly cause: 'realm' | 'all';
}

interface Waiting {
  readonly key: string;
  /** Whether it may be rejected because too much waits, or for too long. */
  readonly isOptional: boolean;
  begin(): void;
  reject(reason: Failure): void;
}

interface RealmQueue {
  readonly realmId: number;
  running: number;
  maxRunning: FairQueueLimits['runningOfRealm'];
  weight: number;
  /** In the order of arrival. */
  readonly waiting: Waiting[];
  /** The keys of what waits; the one whose turn is next comes first. */
  readonly keys: Set<string>;
}

/** How much waits that may be rejected. */
const optionalOf = ({ waiting }: RealmQueue) =>
  waiting.filter(({ isOptional }) => isOptional).length;

const hasWaiting = ({ waiting }: RealmQueue, ofKey: string) =>
  waiting.some(({ key }) => key === ofKey);

/** The next turn of a key comes after those of the realm's other keys. */
function moveToEnd(realm: RealmQueue, key: string): void {
  realm.keys.delete(key);
  if (hasWaiting(realm, key)) realm.keys.add(key);
}

/** Takes out work that will not begin. */
function remove(realm: RealmQueue, index: number): Waiting | undefined {
  const [removed] = realm.waiting.splice(index, 1);
  if (removed && !hasWaiting(realm, removed.key)) realm.keys.delete(removed.key);
  return removed;
}

/** The longest time of a timer: milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Runs work of several realms in turn: a realm with much work does not delay the others, because it
 * never takes all places, and its keys take turns. While work of several realms waits,
 * each realm runs in proportion to its weight.
 */
export class FairQueue {
  /** Realms with work; of those with equal claims, the one whose turn is next comes first. */
  readonly #realms = new Map<number, RealmQueue>();
  #running = 0;

  /** @param toError the error with which work is rejected */
  constructor(
    private readonly limits: FairQueueLimits,
    private readonly toError: (rejection: Rejection) => Failure,
  ) {}

  /** Waiting realms, excluding `without`. */
  waitingRealms(without: number): number {
    return [...this.#realms].filter(([id, { waiting }]) => id !== without && waiting.length > 0)
      .length;
  }

  /** How much work of a realm waits. */
  waitingOf(realmId: number): number {
    return this.#realms.get(realmId)?.waiting.length ?? 0;
  }

  /** How much work of all realms waits. */
  get waiting(): number {
    return [...this.#realms.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /**
   * Runs work when it is its turn, which is at once unless the places are taken.
   *
   * @param isOptional whether it may be rejected because too much waits: when too much work of the
   * realm does; when too much of all does, the last of the realm with the most; and after the longest
   * wait. Other work waits until its deadline
   * @throws {Failure} the rejection
   */
  async run<T>(owner: Owner, work: () => Promise<T>, isOptional = true): Promise<T> {
    const realm = this.#realmOf(owner);
    if (realm.waiting.length === 0 && this.#hasPlaceFor(realm)) this.#begin(realm, owner.key);
    else await this.#turn(owner, realm, isOptional);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      realm.running -= 1;
      moveToEnd(realm, owner.key);
      this.#realms.delete(owner.realmId);
      // Its next turn comes after those of all others.
      if (realm.running > 0 || realm.waiting.length > 0) this.#realms.set(owner.realmId, realm);
      this.#beginNext();
    }
  }

  #realmOf({ realmId, weight = 1, running }: Owner): RealmQueue {
    const maxRunning = running ?? this.limits.runningOfRealm;
    const known = this.#realms.get(realmId);
    if (known) return Object.assign(known, { weight, maxRunning });
    const realm: RealmQueue = {
      ...{ realmId, running: 0, maxRunning, weight },
      waiting: [],
      keys: new Set(),
    };
    this.#realms.set(realmId, realm);
    return realm;
  }

  #hasPlaceFor(realm: RealmQueue): boolean {
    return this.#running < this.limits.running && !this.#hasItsShare(realm);
  }

  #hasItsShare({ running, maxRunning }: RealmQueue): boolean {
    const free = this.limits.running - this.#running;
    return running >= (maxRunning === 'fewer than are free' ? free : maxRunning);
  }

  #begin(realm: RealmQueue, key: string): void {
    this.#running += 1;
    realm.running += 1;
    moveToEnd(realm, key);
  }

  async #turn({ realmId, key }: Owner, realm: RealmQueue, isOptional: boolean): Promise<void> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { key, isOptional, begin, reject };
    realm.waiting.push(waiting);
    realm.keys.add(key);
    this.#rejectExcess(realm);
    const timer = setTimeout(
      () => this.#giveUp(realm, waiting),
      Math.min(isOptional ? this.limits.maxWaitMs : maxTimerMs, remainingTimeMs()),
    );
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      // What was rejected may have been all that the realm had.
      if (realm.running === 0 && realm.waiting.length === 0) this.#realms.delete(realmId);
    }
  }

  #giveUp(realm: RealmQueue, waiting: Waiting): void {
    remove(realm, realm.waiting.indexOf(waiting));
    const cause = this.#hasItsShare(realm) ? 'realm' : 'all';
    waiting.reject(this.toError({ realmId: realm.realmId, cause }));
  }

  /** Sheds one item beyond a limit. */
  #rejectExcess(newcomer: RealmQueue): void {
    const { waiting, waitingOfRealm } = this.limits;
    const realms = [...this.#realms.values()];
    const all = realms.reduce((sum, each) => sum + optionalOf(each), 0);
    const isOverShare = optionalOf(newcomer) > waitingOfRealm;
    if (!isOverShare && all <= waiting) return;
    const longest = realms.reduce(
      (longer, each) => (optionalOf(each) > optionalOf(longer) ? each : longer),
      newcomer,
    );
    const from = isOverShare ? newcomer : longest;
    const last = from.waiting.findLastIndex(({ isOptional }) => isOptional);
    const rejected = remove(from, last);
    const cause = isOverShare ? 'realm' : 'all';
    rejected?.reject(this.toError({ realmId: from.realmId, cause }));
  }

  #beginNext(): void {
    for (let realm = this.#next(); realm; realm = this.#next()) {
      const { waiting, keys } = realm;
      const [nextKey] = keys;
      const first = waiting.findIndex(({ key }) => key === nextKey);
      const [begun] = waiting.splice(first, 1);
      this.#begin(realm, begun!.key);
      begun!.begin();
    }
  }

  /** The realm that runs the least for its weight, of those that wait and may run more. */
  #next(): RealmQueue | undefined {
    let next: RealmQueue | undefined;
    const claim = ({ running, weight }: RealmQueue) => (running + 1) / weight;
    for (const realm of this.#realms.values()) {
      const isCandidate = realm.waiting.length > 0 && this.#hasPlaceFor(realm);
      if (isCandidate && (!next || claim(realm) < claim(next))) next = realm;
    }
    return next;
  }
}
