/** How often a launched registration is asked for by name, at most. */
const crawls = 6;

/** Each time takes so many times as long as the time before. */
const growth = 4;

/** The step of a registration that is to be crawled once and then left to the other crawls. */
export const lastStep = crawls - 1;

/**
 * When to crawl a launched registration by name again, after it was crawled `step` times and is
 * not yet complete: seconds, or null to leave it to the crawls of what has changed.
 */
export const delayAfter = (step: number, shortest: number): number | null =>
  step > lastStep ? null : shortest * growth ** step;
