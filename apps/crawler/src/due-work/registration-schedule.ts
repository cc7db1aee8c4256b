/** How often a launched registration is crawled by its GUID. */
const maxCrawls = 6;

/** Each interval is this many times as long as the previous one. */
const growthFactor = 4;

/** The step of a registration that is crawled once and then left to the crawls of the lists. */
export const lastStep = maxCrawls - 1;

/**
 * Returns the delay until the next crawl of a launched registration that was crawled `step` times
 * and is not complete, in seconds; null to leave it to the crawls of changed registrations.
 */
export const delayAfter = (step: number, shortest: number): number | null =>
  step > lastStep ? null : shortest * growthFactor ** step;
