import type { CompareResult } from './results.ts';
import type { PromiseResult } from './promises/report.ts';
import type { Installation } from './system/installation.ts';

/** The stores of a benchmark: a temporary PostgreSQL, and the RabbitMQ of `AMQP_URL`. */
export interface Stores {
  readonly databaseUrl: string;
  readonly brokerUrl: string;
}

interface Scenario {
  /** The name that `--only` selects it by. */
  readonly name: string;
  /** What is measured, for the usage text. */
  readonly measures: string;
}

/** Compares the system with baselines, which all run beside each other on the same stores. */
export interface Comparison extends Scenario {
  readonly run: (
    installation: Installation,
    options: ComparisonOptions,
  ) => Promise<CompareResult[]>;
}

export interface ComparisonOptions {
  /** A long run measures with as many rows as a large installation has. */
  readonly long: boolean;
  /** The number of registrations of `million` and `console`, other than those of a usual run. */
  readonly registrations: number | null;
}

/** Checks promises of docs/reliability.md on a system and stores of its own. */
export interface PromiseCheck extends Scenario {
  /** Its last parameter prints a line with a figure. */
  readonly run: (
    stores: Stores,
    say: (text: string) => void,
    options: Pick<ComparisonOptions, 'registrations'>,
  ) => Promise<readonly PromiseResult[]>;
}
