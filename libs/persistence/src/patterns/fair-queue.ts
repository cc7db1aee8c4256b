import { Failure } from '@registrar/contracts';

/** Who work is done for. Realms share the places of a queue, and keys those of their realm. */
export interface Owner {
  readonly realmId: number;
  /** Identifies the access within its realm. */
  readonly key: string;
}

/** How much runs and waits at a time. */
export interface FairQueueLimits {
  readonly running: number;
  readonly runningOfRealm: number;
  readonly waiting: number;
  readonly waitingOfRealm: number;
}

interface Waiting {
  readonly key: string;
  begin(): void;
  reject(reason: Failure): void;
}

interface RealmQueue {
  running: number;
  /** The key whose work began last. */
  lastKey: string | null;
  readonly waiting: Waiting[];
}

/**
 * Runs work of several realms in turn: a realm with much work does not delay the others, because it
 * never takes all places, and within a realm neither does a key.
 */
export class FairQueue {
  /** Realms with work, the one whose turn is next first. */
  readonly #realms = new Map<number, RealmQueue>();
  #running = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** The number of realms that wait, without one. */
  waitingRealms(without: number): number {
    return [...this.#realms].filter(([id, { waiting }]) => id !== without && waiting.length > 0)
      .length;
  }

  /** How much work of a realm waits. */
  waitingOf(realmId: number): number {
    return this.#realms.get(realmId)?.waiting.length ?? 0;
  }

  /**
   * @throws {Failure} `over-limit` when too much work of the realm waits; `overloaded` when too much
   * of all does, and no realm has more waiting: otherwise the realm with the most gives up its last
   */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const realm = this.#realmOf(owner.realmId);
    await this.#turn(owner, realm);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      realm.running -= 1;
      this.#realms.delete(owner.realmId);
      // Its next turn comes after those of all others.
      if (realm.running > 0 || realm.waiting.length > 0) this.#realms.set(owner.realmId, realm);
      this.#beginNext();
    }
  }

  #realmOf(id: number): RealmQueue {
    const known = this.#realms.get(id);
    if (known) return known;
    const realm = { running: 0, lastKey: null, waiting: [] };
    this.#realms.set(id, realm);
    return realm;
  }

  async #turn({ realmId, key }: Owner, realm: RealmQueue): Promise<void> {
    const turn = new Promise<void>((begin, reject) => realm.waiting.push({ key, begin, reject }));
    this.#beginNext();
    this.#rejectExcess(realm);
    // What was rejected may have been all that the realm had.
    if (realm.running === 0 && realm.waiting.length === 0) this.#realms.delete(realmId);
    await turn;
  }

  /** Rejects what is too much after `newcomer` got more to wait. */
  #rejectExcess(newcomer: RealmQueue): void {
    const { waiting, waitingOfRealm } = this.limits;
    const realms = [...this.#realms.values()];
    const all = realms.reduce((sum, each) => sum + each.waiting.length, 0);
    if (newcomer.waiting.length <= waitingOfRealm && all <= waiting) return;
    const longest = realms.reduce(
      (longer, each) => (each.waiting.length > longer.waiting.length ? each : longer),
      newcomer,
    );
    const isOverShare = newcomer.waiting.length > waitingOfRealm;
    const from = isOverShare ? newcomer : longest;
    const code = isOverShare ? 'over-limit' : 'overloaded';
    const reason = new Failure(code, 'too many regular expressions wait');
    from.waiting.pop()?.reject(reason);
  }

  #beginNext(): void {
    while (this.#running < this.limits.running) {
      const next = [...this.#realms].find(
        ([, realm]) => realm.waiting.length > 0 && realm.running < this.limits.runningOfRealm,
      );
      if (!next) return;
      const [, realm] = next;
      const another = realm.waiting.findIndex(({ key }) => key !== realm.lastKey);
      const [begun] = realm.waiting.splice(Math.max(0, another), 1);
      this.#running += 1;
      realm.running += 1;
      realm.lastKey = begun!.key;
      begun!.begin();
    }
  }
}
