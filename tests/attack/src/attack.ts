import type { Target } from './target.ts';

/** An attack on a running system. */
export interface Attack {
  /** The name that `--only` selects it by. */
  readonly name: string;
  /** What is tried, for the printed table. */
  readonly tried: string;
  /** Whether the attack is one on the broker of the distributed form. */
  readonly needsBroker?: true;
  run(target: Target, options: AttackOptions): Promise<AttackResult>;
}

/** The options of the command line that attacks read. */
export interface AttackOptions {
  /** Chooses the random inputs. */
  readonly seed: number;
  /** A long run tries everything; a short one fits into CI. */
  readonly long: boolean;
  /** How many requests the fuzzer sends. */
  readonly requests: number;
}

export interface AttackResult {
  /** Broken promises, one line each; an empty list means that the attack failed. */
  readonly violations: readonly string[];
  /** The requests of a realm that is not attacked, during the attack and before it. */
  readonly bystander?: {
    readonly successes: number;
    readonly requests: number;
    readonly p95Ms: number;
    readonly calmP95Ms: number;
    /** Of each round, the p95 with the attack in relation to that without. */
    readonly ratios: readonly number[];
  };
  /** The longest that one request held the event loop of a process. */
  readonly eventLoopDelayMs?: number;
  /** More about what was tried, such as the coverage; printed below the table. */
  readonly detail?: string;
}
