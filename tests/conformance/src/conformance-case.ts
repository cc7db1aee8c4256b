import type { Rule } from './contract.ts';
import type { Installation } from './installation.ts';

/** One check of the contract. */
export interface ConformanceCase {
  /** A whole claim, unique in the suite. */
  readonly name: string;
  /** The rules that the case checks. */
  readonly covers: readonly Rule[];
  /** @throws when the installation violates a rule */
  readonly run: (target: Installation) => Promise<void>;
}

/** Thrown by a case that this run cannot check; the report shows the reason. */
export class SkippedCase extends Error {
  override readonly name = 'SkippedCase';
}

export const conformanceCase = (
  name: string,
  covers: readonly Rule[],
  run: ConformanceCase['run'],
): ConformanceCase => ({ name, covers, run });
