import { exponentialDelay } from '@registrar/platform';

/** The longest interval of an idle provider application, as a multiple of the shortest interval. */
const maxIntervalFactor = 10;

/**
 * The interval of full sweeps, which find deleted registrations: seconds. A sweep costs a call for each page of a
 * list, changed or not; at the default rate, one of ten million registrations takes about half of this time.
 */
export const sweepIntervalSeconds = 21_600;

const maxRetrySeconds = 900;

/**
 * Returns the interval until changed registrations are requested again, in seconds: the shortest
 * while there are some, else twice the last interval.
 */
export function nextInterval(last: number, found: number, shortest: number): number {
  return found > 0 ? shortest : Math.min(last * 2, shortest * maxIntervalFactor);
}

/**
 * Returns the interval of crawls of the course list, in seconds. It is long because courses change
 * rarely and the list always contains all of them.
 */
export const coursesInterval = (shortest: number): number =>
  Math.min(shortest * maxIntervalFactor, sweepIntervalSeconds);

/** Returns the delay before a crawl that failed `failures` times in a row is retried, in seconds. */
export const retryInterval = (failures: number, shortest: number): number =>
  exponentialDelay(failures, { first: shortest, longest: maxRetrySeconds });
