import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@registrar/platform';
import { LRUCache } from 'lru-cache';
import { Counter, type Registry } from 'prom-client';

/** The time in which failures count together, from the first one on. */
const windowMs = 10 * 60_000;
/** When failures are slowed down: all counts are of one window. */
export interface FailedAccessLimits {
  /** Failures of one network whose answers are not delayed: people mistype, and keys expire. */
  readonly undelayedOfNetwork: number;
  /** Failures that name one account, from all networks, whose answers are not delayed. */
  readonly undelayedOfAccount: number;
  /** From so many failures of one network on, it is refused without a check. */
  readonly blockedFrom: number;
  /** The first delay, which doubles with each further failure, and the longest: milliseconds. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** @param perAddress how many failures one address may have in ten minutes before it is refused */
export const failedAccessLimits = (perAddress: number): FailedAccessLimits => ({
  undelayedOfNetwork: Math.floor(perAddress / 5),
  undelayedOfAccount: Math.floor(perAddress / 2),
  blockedFrom: perAddress,
  firstDelayMs: 250,
  maxDelayMs: 8_000,
});

/** How many answers are delayed at a time: in all, and for one network. */
const maxWaiting = 100;
const maxWaitingOfNetwork = 10;
/** Beyond so many, the networks, accounts and credentials that were not used for the longest time are forgotten. */
const maxRemembered = 10_000;
const remembered = { max: maxRemembered, perf: { now: () => Date.now() } };
/** How long credentials that were valid are exempt from a block of their network. */
const provenMs = 60 * 60_000;

interface Failures {
  count: number;
  isReported: boolean;
}

/** An access that failed because its credentials are wrong, not because they are missing. */
export interface FailedAccess<Mode extends string> {
  readonly mode: Mode;
  /** The client's network (client-network.ts). */
  readonly network: string;
  /** Whom the credentials name, such as a realm; null if they name nobody. */
  readonly account: string | null;
  /** A hash of the credentials: the same ones count once in a window. */
  readonly credentials: string;
}

/**
 * Slows down guessing of credentials. Failed accesses are counted for each network and for each
 * account that they name; answers to further failures are delayed more and more. A network with very
 * many is refused without a check, except for credentials that were valid lately. Valid credentials
 * are neither delayed nor refused because somebody else guesses at their account.
 */
export class FailedAccesses<Mode extends string> {
  readonly #networks = new LRUCache<string, Failures>({ ...remembered, ttl: windowMs });
  readonly #accounts = new LRUCache<string, Failures>({ ...remembered, ttl: windowMs });
  readonly #failed = new LRUCache<string, true>({ ...remembered, ttl: windowMs });
  readonly #proven = new LRUCache<string, true>({ ...remembered, ttl: provenMs });
  readonly #waiting = new Map<string, number>();
  #waitingCount = 0;
  readonly #failures: Counter<'mode'>;
  readonly #slowed: Counter<'outcome'>;

  constructor(
    modes: readonly Mode[],
    private readonly limits: FailedAccessLimits,
    registry: Registry,
    private readonly logger: Logger,
  ) {
    this.#failures = new Counter({
      name: 'registrar_access_failures_total',
      help: 'Accesses with wrong credentials; the same ones of one client count once in ten minutes.',
      labelNames: ['mode'],
      registers: [registry],
    });
    this.#slowed = new Counter({
      name: 'registrar_access_slowed_total',
      help: 'Accesses of guessing clients that were answered late (delayed) or not checked (refused).',
      labelNames: ['outcome'],
      registers: [registry],
    });
    // rate() misses the first increase of a series that does not start at 0.
    for (const mode of modes) this.#failures.inc({ mode }, 0);
    for (const outcome of ['delayed', 'refused']) this.#slowed.inc({ outcome }, 0);
  }

  /** Whether credentials from a network are refused without a check. */
  refuses(network: string, credentials: string): boolean {
    const failures = this.#networks.get(network)?.count ?? 0;
    if (failures < this.limits.blockedFrom || this.#proven.has(credentials)) return false;
    this.#slowed.inc({ outcome: 'refused' });
    return true;
  }

  succeeded(credentials: string): void {
    this.#proven.set(credentials, true);
  }

  /**
   * Counts a failed access.
   *
   * @returns how long its answer is to be delayed: milliseconds
   */
  failed({ mode, network, account, credentials }: FailedAccess<Mode>): number {
    const attempt = `${network} ${credentials}`;
    if (this.#failed.has(attempt)) return 0;
    this.#failed.set(attempt, true);
    this.#failures.inc({ mode });
    const ofNetwork = countIn(this.#networks, network);
    const ofAccount = account === null ? 0 : countIn(this.#accounts, account).count;
    const { undelayedOfNetwork, undelayedOfAccount } = this.limits;
    const excess = Math.max(ofNetwork.count - undelayedOfNetwork, ofAccount - undelayedOfAccount);
    if (ofNetwork.count > undelayedOfNetwork) this.#report(network, ofNetwork);
    return this.#delayAfter(excess);
  }

  /**
   * Waits before a failure is answered.
   *
   * @returns false at once when too many answers wait already
   */
  async delay(network: string, delayMs: number): Promise<boolean> {
    const ofNetwork = this.#waiting.get(network) ?? 0;
    if (this.#waitingCount >= maxWaiting || ofNetwork >= maxWaitingOfNetwork) {
      this.#slowed.inc({ outcome: 'refused' });
      return false;
    }
    this.#slowed.inc({ outcome: 'delayed' });
    this.#waitingCount += 1;
    this.#waiting.set(network, ofNetwork + 1);
    await pause(delayMs);
    this.#waitingCount -= 1;
    const left = (this.#waiting.get(network) ?? 1) - 1;
    if (left > 0) this.#waiting.set(network, left);
    else this.#waiting.delete(network);
    return true;
  }

  #delayAfter(excess: number): number {
    const { firstDelayMs, maxDelayMs } = this.limits;
    return excess <= 0 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (excess - 1));
  }

  /** Once for a network and window. */
  #report(network: string, failures: Failures): void {
    if (failures.isReported) return;
    failures.isReported = true;
    this.logger.warn(
      { client_address: network },
      'a client guesses credentials: it is slowed down',
    );
  }
}

/** Counts one more. The window is that of the first one: changing an entry does not renew it. */
function countIn(all: LRUCache<string, Failures>, name: string): Failures {
  const failures = all.get(name) ?? { count: 0, isReported: false };
  if (failures.count === 0) all.set(name, failures);
  failures.count += 1;
  return failures;
}
