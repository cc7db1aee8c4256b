import { type CrawlOutcome } from '@registrar/contracts';

/**
 * The sequence of the newest outcome of each kind that was applied to a registration, and of the newest
 * sweep that found it unchanged; 0 if none.
 */
export type AppliedSequences = Readonly<Record<CrawlOutcome['outcome'] | 'unchanged', number>>;

/**
 * Returns whether an outcome is newer than the applied one of its kind (libs/contracts, crawler), and
 * than a sweep that found the registration unchanged. Applying newer ones only makes the result
 * independent of order and repetition.
 */
export const isNewer = (
  outcome: CrawlOutcome['outcome'],
  sequence: number,
  applied: AppliedSequences,
): boolean => sequence > Math.max(applied[outcome], applied.unchanged);
