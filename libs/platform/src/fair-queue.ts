import type { Failure } from '@registrar/contracts';
import { clock } from './clock.ts';
import { HangingWork, type HungWork } from './hanging-work.ts';
import { type Holder, Places, type ShareOfRealm } from './places.ts';
import { type Account, QueueAccounts } from './queue-accounts.ts';
import { remainingTimeMs } from './request-context.ts';

/** Who work is done for. Realms share the places of a queue, and keys those of their realm. */
export interface Owner extends Holder {
  /** The realm's part of a loaded queue in relation to others; 1 by default. */
  readonly weight?: number | undefined;
  /** How much of the realm runs at a time, in place of the queue's limit. */
  readonly running?: number | undefined;
  /** What the work counts against besides its realm. */
  readonly accounts?: readonly Account[] | undefined;
}

/** How much runs and waits at a time. */
export interface FairQueueLimits {
  readonly running: number;
  readonly runningOfRealm: ShareOfRealm;
  /** How much runs besides, whose places were given back because it hangs; none by default. */
  readonly hanging?: number;
  readonly waiting: number;
  readonly waitingOfRealm: number;
  /** How long optional work waits at most, but no longer than until its deadline. */
  readonly maxWaitMs: number;
}

/**
 * Whose work is rejected, and why: the realm, or an account of the work, has too much of it, or all realms
 * together have; or work of the realm hangs, so that it is not the realm which has too much.
 */
export interface Rejection {
  readonly realmId: number;
  readonly cause: 'realm' | 'all' | 'hanging';
}

interface Waiting {
  readonly accounts: readonly Account[];
  /** Whether it may be rejected because too much waits, or for too long. */
  readonly isOptional: boolean;
  begin(): void;
  reject(reason: Failure): void;
}

/** The work of one key that waits. */
interface KeyQueue extends Holder {
  keyWeight: number;
  /** In the order of arrival. */
  readonly waiting: Waiting[];
  /** How much of it may be rejected. */
  optional: number;
}

interface RealmQueue {
  readonly realmId: number;
  share: ShareOfRealm;
  weight: number;
  /** Keys with waiting work; of those with equal claims, the one whose turn is next comes first. */
  readonly keys: Map<string, KeyQueue>;
}

/** How much of a key waits that may be rejected, by its weight: none, if the key has none. */
const optionalOf = ({ optional, keyWeight }: KeyQueue) => optional / keyWeight;

function optionalOfRealm({ keys }: RealmQueue): number {
  let sum = 0;
  for (const { optional } of keys.values()) sum += optional;
  return sum;
}

/** The first of those with the greatest size. */
function greatest<T>(all: Iterable<T>, first: T, sizeOf: (each: T) => number): T {
  let found = first;
  for (const each of all) if (sizeOf(each) > sizeOf(found)) found = each;
  return found;
}

/** The next turn of a key comes after those of the realm's other keys with equal claims. */
function moveToEnd({ keys }: RealmQueue, key: string): void {
  const queue = keys.get(key);
  keys.delete(key);
  if (queue && queue.waiting.length > 0) keys.set(key, queue);
}

/** The longest time of a timer: milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Runs work of several realms in turn: a realm with much work does not delay the others, because it
 * never takes all places, and neither does a key within its realm. While work of several realms waits,
 * each realm runs in proportion to its weight, and so do keys within their realm.
 */
export class FairQueue {
  /** Realms with work; of those with equal claims, the one whose turn is next comes first. */
  readonly #realms = new Map<number, RealmQueue>();
  readonly #places: Places;
  readonly #accounts = new QueueAccounts({
    ofRealm: ({ realmId }) => this.#places.heldBy(realmId) + this.waitingOf(realmId),
    ofKey: (holder) => this.#places.heldByKey(holder) + this.#waitingOfKey(holder),
  });
  readonly #hanging: HangingWork;

  /** @param toError the error with which work is rejected */
  constructor(
    private readonly limits: FairQueueLimits,
    private readonly toError: (rejection: Rejection) => Failure,
  ) {
    this.#places = new Places(limits.running);
    this.#hanging = new HangingWork(limits.hanging ?? 0);
  }

  /** Waiting realms, excluding `without`. */
  waitingRealms(without: number): number {
    return [...this.#realms].filter(([id, { keys }]) => id !== without && keys.size > 0).length;
  }

  /** How much work of a realm waits. */
  waitingOf(realmId: number): number {
    const keys = this.#realms.get(realmId)?.keys.values() ?? [];
    return [...keys].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** How much work of all realms waits. */
  get waiting(): number {
    return [...this.#realms.keys()].reduce((sum, realmId) => sum + this.waitingOf(realmId), 0);
  }

  /**
   * Runs work when it is its turn, which is at once unless the places are taken.
   *
   * @param work gets a function to call when it hangs by a fault that is not the owner's: then it gives its place back,
   * unless too much of such work runs already
   * @param isOptional whether it may be rejected because too much waits: when too much work of the
   * realm does, or too much of all, the last of the key with the most for its weight, in the realm with
   * the most; and after the longest wait. Other work waits until its deadline
   * @throws {Failure} the rejection
   */
  async run<T>(
    owner: Owner,
    work: (hang: () => void) => Promise<T>,
    isOptional = true,
  ): Promise<T> {
    const realm = this.#realmOf(owner);
    const { accounts = [] } = owner;
    this.#accounts.note(owner);
    const mayBegin =
      this.#places.isFreeFor(owner, realm.share) && this.#accounts.areFreeFor(owner, accounts);
    if (mayBegin && !this.#nextOf(realm)) this.#begin(realm, owner, accounts);
    else await this.#turn(owner, realm, isOptional);
    const begunAt = clock.monotonic();
    const running: { hung?: HungWork } = {};
    const hang = () => {
      const giveBack = () => this.#end(realm, owner, accounts);
      running.hung ??= this.#hanging.add(owner.realmId, giveBack);
      running.hung.giveBackPlace();
    };
    try {
      return await work(hang);
    } finally {
      if (running.hung?.end() ?? true) {
        const workMs = clock.monotonic() - begunAt;
        const restMs = this.#accounts.restAfter(workMs, owner, accounts);
        if (restMs > 0) clock.schedule(restMs, () => this.#end(realm, owner, accounts));
        else this.#end(realm, owner, accounts);
      }
    }
  }

  /**
   * Rejects optional work before it is prepared, if it would be rejected on its arrival: as much of its realm waits as
   * may, and none of its keys has more for its weight. Overload then costs little.
   *
   * @throws {Failure} the rejection
   */
  requireRoom({ realmId, key, keyWeight = 1 }: Holder): void {
    const realm = this.#realms.get(realmId);
    if (!realm || optionalOfRealm(realm) < this.limits.waitingOfRealm) return;
    const claim = ((realm.keys.get(key)?.optional ?? 0) + 1) / keyWeight;
    for (const other of realm.keys.values()) {
      if (other.key !== key && optionalOf(other) > claim) return;
    }
    throw this.toError({ realmId, cause: this.#causeBeyondShare(realmId) });
  }

  /** Why work of a realm is rejected that is beyond the realm's own limits. */
  #causeBeyondShare(realmId: number): 'realm' | 'hanging' {
    return this.#hanging.isOf(realmId) ? 'hanging' : 'realm';
  }

  #end(realm: RealmQueue, holder: Holder, accounts: readonly Account[]): void {
    this.#places.giveBack(holder);
    this.#accounts.giveBack(accounts);
    moveToEnd(realm, holder.key);
    this.#realms.delete(holder.realmId);
    // Its next turn comes after those of all others.
    if (!this.#isIdle(realm)) this.#realms.set(holder.realmId, realm);
    this.#beginNext();
  }

  #realmOf({ realmId, weight = 1, running }: Owner): RealmQueue {
    const share = running ?? this.limits.runningOfRealm;
    const known = this.#realms.get(realmId);
    if (known) return Object.assign(known, { weight, share });
    const realm: RealmQueue = { realmId, share, weight, keys: new Map() };
    this.#realms.set(realmId, realm);
    return realm;
  }

  #keyOf(realm: RealmQueue, { realmId, key, keyWeight = 1 }: Owner): KeyQueue {
    const known = realm.keys.get(key);
    if (known) return Object.assign(known, { keyWeight });
    const queue: KeyQueue = { realmId, key, keyWeight, waiting: [], optional: 0 };
    realm.keys.set(key, queue);
    return queue;
  }

  #waitingOfKey({ realmId, key }: Holder): number {
    return this.#realms.get(realmId)?.keys.get(key)?.waiting.length ?? 0;
  }

  #begin(realm: RealmQueue, holder: Holder, accounts: readonly Account[]): void {
    this.#places.take(holder);
    this.#accounts.take(accounts);
    moveToEnd(realm, holder.key);
  }

  async #turn(owner: Owner, realm: RealmQueue, isOptional: boolean): Promise<void> {
    const { realmId, accounts = [] } = owner;
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    if (isOptional && !this.#accounts.mayWait(accounts)) {
      this.#forgetIdle(realm);
      throw this.toError({ realmId, cause: this.#causeBeyondShare(realmId) });
    }
    const waiting: Waiting = { accounts, isOptional, begin, reject };
    const queue = this.#keyOf(realm, owner);
    queue.waiting.push(waiting);
    if (isOptional) queue.optional += 1;
    this.#accounts.beginWaiting(accounts);
    this.#rejectExcess(realm, queue);
    const timer = setTimeout(
      () => this.#giveUp(realm, queue, waiting),
      Math.min(isOptional ? this.limits.maxWaitMs : maxTimerMs, remainingTimeMs()),
    );
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      // What was rejected may have been all that the realm had.
      this.#forgetIdle(realm);
    }
  }

  #isIdle({ realmId, keys }: RealmQueue): boolean {
    return keys.size === 0 && this.#places.heldBy(realmId) === 0;
  }

  #forgetIdle(realm: RealmQueue): void {
    if (this.#isIdle(realm)) this.#realms.delete(realm.realmId);
  }

  /** Takes out work that does not wait any longer. */
  #remove({ keys }: RealmQueue, queue: KeyQueue, work: Waiting): void {
    queue.waiting.splice(queue.waiting.indexOf(work), 1);
    if (work.isOptional) queue.optional -= 1;
    this.#accounts.endWaiting(work.accounts);
    if (queue.waiting.length === 0) keys.delete(queue.key);
  }

  #giveUp(realm: RealmQueue, queue: KeyQueue, waiting: Waiting): void {
    this.#remove(realm, queue, waiting);
    const isOverShare =
      this.#places.held < this.#places.count ||
      this.#places.isShareHeld(realm.realmId, realm.share) ||
      !this.#accounts.areFreeFor(queue, waiting.accounts);
    const cause = isOverShare ? this.#causeBeyondShare(realm.realmId) : 'all';
    waiting.reject(this.toError({ realmId: realm.realmId, cause }));
  }

  /** Sheds one item beyond a limit. */
  #rejectExcess(realm: RealmQueue, newcomer: KeyQueue): void {
    const { waiting, waitingOfRealm } = this.limits;
    const realms = [...this.#realms.values()];
    const all = realms.reduce((sum, each) => sum + optionalOfRealm(each), 0);
    const isOverShare = optionalOfRealm(realm) > waitingOfRealm;
    if (!isOverShare && all <= waiting) return;
    const longest = isOverShare ? realm : greatest(realms, realm, optionalOfRealm);
    const keys = [...longest.keys.values()];
    const from = greatest(keys, longest === realm ? newcomer : keys[0]!, optionalOf);
    const rejected = from.waiting.findLast(({ isOptional }) => isOptional);
    if (!rejected) return;
    this.#remove(longest, from, rejected);
    const cause = isOverShare ? this.#causeBeyondShare(longest.realmId) : 'all';
    rejected.reject(this.toError({ realmId: longest.realmId, cause }));
  }

  #beginNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const { realm, queue, work } = next;
      this.#remove(realm, queue, work);
      this.#begin(realm, queue, work.accounts);
      work.begin();
    }
  }

  /** What begins next: of the realm that runs the least for its weight, of those that may run more. */
  #next(): NextWork | undefined {
    const claim = ({ realmId, weight }: RealmQueue) => (this.#places.heldBy(realmId) + 1) / weight;
    let next: NextWork | undefined;
    for (const realm of this.#realms.values()) {
      if (next && claim(realm) >= claim(next.realm)) continue;
      next = this.#nextOf(realm) ?? next;
    }
    return next;
  }

  /** What begins next of a realm: the oldest that may begin, of the key that runs the least for its weight. */
  #nextOf(realm: RealmQueue): NextWork | undefined {
    const claim = (queue: KeyQueue) => (this.#places.heldByKey(queue) + 1) / queue.keyWeight;
    let next: NextWork | undefined;
    for (const queue of realm.keys.values()) {
      if (next && claim(queue) >= claim(next.queue)) continue;
      if (!this.#places.isFreeFor(queue, realm.share)) continue;
      const work = queue.waiting.find(({ accounts }) => this.#accounts.areFreeFor(queue, accounts));
      if (work) next = { realm, queue, work };
    }
    return next;
  }
}

interface NextWork {
  readonly realm: RealmQueue;
  readonly queue: KeyQueue;
  readonly work: Waiting;
}
