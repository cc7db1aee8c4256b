import { hash } from 'node:crypto';
import { clock, Counts, type Logger } from '@registrar/platform';
import { LRUCache } from 'lru-cache';
import { Counter, type Registry } from 'prom-client';
import { type ClientNetwork, clientNetworks } from './client-network.ts';

/** The time in which failures count together, from the first one on. */
const windowMs = 10 * 60_000;

/** When failures are slowed down: all counts are of one window. */
export interface FailedAccessLimits {
  /** Failures of one address whose answers are not delayed: people mistype. Networks have some times as many. */
  readonly undelayedOfNetwork: number;
  /** Failures that name one account, from all networks, whose answers are not delayed. */
  readonly undelayedOfAccount: number;
  /** The first delay, which doubles with each further failure, and the longest: milliseconds. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** Whether an address is that of a trusted proxy, which stands for many clients. */
  readonly trustsPeer: (address: string, hop: number) => boolean;
}

/** Injects {@link FailedAccessLimits}. */
export const failedAccesses = Symbol('limits of failed accesses');

/** @param perAddress how many failures of one address in ten minutes are answered without delay */
export const failedAccessLimits = (
  perAddress: number,
  trustsPeer: FailedAccessLimits['trustsPeer'],
): FailedAccessLimits => ({
  undelayedOfNetwork: perAddress,
  undelayedOfAccount: 2 * perAddress,
  firstDelayMs: 250,
  maxDelayMs: 8_000,
  trustsPeer,
});

/** How many answers are delayed at a time: in all, and for one network. */
const maxWaiting = 100;
const maxWaitingOfNetwork = 10;
/** Beyond so many, the networks, accounts and credentials that were not used for the longest time are forgotten. */
const remembered = { max: 10_000, ttl: windowMs, perf: clock };

interface Failures {
  count: number;
  isReported: boolean;
}

/** An access that failed because its credentials are wrong, not because they are missing or expired. */
export interface FailedAccess<Mode extends string> {
  readonly mode: Mode;
  /** The client's address; undefined if it is not known. */
  readonly address: string | undefined;
  /** Whom the credentials name, such as a realm; null if they name nobody. */
  readonly account: string | null;
  /** The same credentials count once in a window. */
  readonly credentials: string;
}

/** How the answer to a failed access is delayed. */
export interface AnswerDelay {
  /** The network, or the account, among whose answers this one waits. */
  readonly source: string;
  /** Milliseconds. */
  readonly delayMs: number;
}

/**
 * Slows down guessing of credentials. Failed accesses are counted for each network and for each
 * account that they name; the answers to further failures are delayed more and more. Valid credentials
 * are neither delayed nor refused, whoever else fails at their network or account: a check is always
 * made, and only its failure is answered late.
 */
export class FailedAccesses<Mode extends string> {
  readonly #networks = new LRUCache<string, Failures>(remembered);
  readonly #accounts = new LRUCache<string, Failures>(remembered);
  readonly #failed = new LRUCache<string, true>(remembered);
  readonly #waiting = new Counts<string>();
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
      help: 'Failed accesses of guessing clients that were answered late (delayed) or with 503 (refused).',
      labelNames: ['outcome'],
      registers: [registry],
    });
    // rate() misses the first increase of a series that does not start at 0.
    for (const mode of modes) this.#failures.inc({ mode }, 0);
    for (const outcome of ['delayed', 'refused']) this.#slowed.inc({ outcome }, 0);
  }

  /**
   * Counts a failed access. One behind a trusted proxy that hides its client counts for the account
   * alone.
   *
   * @returns how its answer is to be delayed; null if it is not
   */
  count({ mode, address, account, credentials }: FailedAccess<Mode>): AnswerDelay | null {
    const networks = this.#networksOf(address);
    const attempt = `${networks.at(-1)?.name ?? ''} ${digest(credentials)}`;
    if (this.#failed.has(attempt)) return null;
    this.#failed.set(attempt, true);
    this.#failures.inc({ mode });
    const excesses = networks.map((network) => this.#excessOfNetwork(network));
    const named = account === null ? null : digest(account);
    const ofAccount = named === null ? 0 : countIn(this.#accounts, named).count;
    const { undelayedOfAccount, firstDelayMs, maxDelayMs } = this.limits;
    const excess = Math.max(...excesses, ofAccount - undelayedOfAccount);
    const source = networks[0]?.name ?? named;
    if (excess <= 0 || source === null) return null;
    return { source, delayMs: Math.min(maxDelayMs, firstDelayMs * 2 ** (excess - 1)) };
  }

  /**
   * Waits before a failure is answered.
   *
   * @returns false at once when too many answers wait already
   */
  async delay({ source, delayMs }: AnswerDelay): Promise<boolean> {
    const { total } = this.#waiting;
    if (total >= maxWaiting || this.#waiting.of(source) >= maxWaitingOfNetwork) {
      this.#slowed.inc({ outcome: 'refused' });
      return false;
    }
    this.#slowed.inc({ outcome: 'delayed' });
    this.#waiting.add(source, 1);
    await clock.sleep(delayMs);
    this.#waiting.add(source, -1);
    return true;
  }

  /** None for an unknown address, and for one that stands for many clients. */
  #networksOf(address: string | undefined): readonly ClientNetwork[] {
    if (address === undefined || this.limits.trustsPeer(address, 0)) return [];
    return clientNetworks(address);
  }

  /**
   * Counts one more failure of a network. Logs once in a window that its answers are delayed.
   *
   * @returns by how much there are more than are answered without delay
   */
  #excessOfNetwork({ name, size }: ClientNetwork): number {
    const failures = countIn(this.#networks, name);
    const excess = failures.count - size * this.limits.undelayedOfNetwork;
    if (excess > 0 && !failures.isReported) {
      failures.isReported = true;
      this.logger.warn({ client_address: name }, 'a client guesses credentials: it is slowed down');
    }
    return excess;
  }
}

/** Names and credentials of clients are hashed, because they may be long and are secret. */
const digest = (text: string): string => hash('sha256', text, 'base64');

/** Counts one more. The window is that of the first one: changing an entry does not renew it. */
function countIn(all: LRUCache<string, Failures>, name: string): Failures {
  const failures = all.get(name) ?? { count: 0, isReported: false };
  if (failures.count === 0) all.set(name, failures);
  failures.count += 1;
  return failures;
}
