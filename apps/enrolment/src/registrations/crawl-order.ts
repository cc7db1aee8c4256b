import { type CrawlOutcome } from '#libs/contracts';

/** The sequence of the newest outcome of each kind that is known of a registration; 0 for none. */
export type KnownOutcomes = Readonly<Record<CrawlOutcome['outcome'], number>>;

/**
 * The order of crawls (libs/contracts, crawler): of each kind of outcome the newest counts. What
 * comes late, or again, is no news, so neither order nor repetition plays a part.
 */
export const isNews = (
  outcome: CrawlOutcome['outcome'],
  sequence: number,
  known: KnownOutcomes,
): boolean => sequence > known[outcome];
