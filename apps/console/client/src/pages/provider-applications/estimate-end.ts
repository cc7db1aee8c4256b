/** How far a crawl is. */
export interface CrawlProgress {
  /** What it has read; null when no list is crawled. */
  readonly items: number | null;
  /** About how many there are; null if that is not known. */
  readonly expected: number | null;
  readonly running_since: string | null;
}

/** A crawl that has run for a shorter time has no estimate: milliseconds. */
const shortestMs = 5_000;

/** Returns the part of a crawl that is done, from 0 to 1; null if it is not known. */
export function doneOf({ items, expected }: CrawlProgress): number | null {
  if (items === null || expected === null || expected === 0 || items > expected) return null;
  return items / expected;
}

/**
 * Estimates when a crawl ends, as if it goes on as fast as until now.
 *
 * @param now milliseconds of the epoch
 * @returns seconds from now; null if there is too little to tell from
 */
export function estimateEnd(progress: CrawlProgress, now: number): number | null {
  const done = doneOf(progress);
  if (done === null || done === 0 || progress.running_since === null) return null;
  const elapsedMs = now - Date.parse(progress.running_since);
  if (elapsedMs < shortestMs) return null;
  return (elapsedMs / 1_000) * ((1 - done) / done);
}
