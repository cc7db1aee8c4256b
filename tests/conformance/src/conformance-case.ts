import type { Rule } from './contract.ts';
import type { Installation } from './installation.ts';

/** One check of the contract. */
export interface ConformanceCase {
  /** A whole claim, unique in the suite. */
  readonly name: string;
  /** The rules that the case checks. */
  readonly covers: readonly Rule[];
  /** See {@link transportCase}. */
  readonly dependsOnTransport: boolean;
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
): ConformanceCase => ({ name, covers, dependsOnTransport: false, run });

/**
 * A case that can fail in one form of the system alone, because it depends on what the bus carries:
 * a request that no other case sends, an error with its code, a list in pages, a package in pieces,
 * an effect of an event, a concurrent or repeated request. What the gateway or a context decides
 * alone (formats, parameters, filters, access rules) does not depend on the transport.
 */
export const transportCase: typeof conformanceCase = (...given) => ({
  ...conformanceCase(...given),
  dependsOnTransport: true,
});
