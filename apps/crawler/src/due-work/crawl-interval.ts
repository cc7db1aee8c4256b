/** How many times as rarely an idle provider application is asked, at most. */
const rarest = 10;

/** A crawl that fails is tried again after this at the latest: seconds. */
const longestRetry = 900;

/**
 * When to ask again for what has changed: seconds. At the shortest interval while there is
 * something, and ever more rarely while there is nothing.
 */
export function nextInterval(last: number, found: number, shortest: number): number {
  return found > 0 ? shortest : Math.min(last * 2, shortest * rarest);
}

/** How often courses are listed: seconds. They change rarely, and every list holds all of them. */
export const coursesInterval = (shortest: number, sweep: number): number =>
  Math.min(shortest * rarest, sweep);

/** When to try a crawl again that has failed so many times in a row: seconds. */
export const retryInterval = (failures: number, shortest: number): number =>
  Math.min(shortest * 2 ** Math.min(failures - 1, 30), longestRetry);
