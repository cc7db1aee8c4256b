import type { Paragraph } from './contract.ts';
import type { Installation } from './installation.ts';

/** One trial of the contract. */
export interface ConformanceCase {
  readonly name: string;
  /** The paragraphs that it tries. */
  readonly covers: readonly Paragraph[];
  /** @throws when the installation does otherwise than the paragraphs say */
  readonly run: (on: Installation) => Promise<void>;
}

/** Thrown by a case that this run has no means to try; the report says why. */
export class NotTried extends Error {
  override readonly name = 'NotTried';
}

export const trial = (
  name: string,
  covers: readonly Paragraph[],
  run: ConformanceCase['run'],
): ConformanceCase => ({ name, covers, run });
