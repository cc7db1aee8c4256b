/** The first and the longest delay, in one unit of time. */
export interface DelayRange {
  readonly first: number;
  readonly longest: number;
}

/**
 * Returns the delay before the next attempt, in the unit of `range`: it doubles with each failure,
 * up to the longest delay. Callers add jitter where many of them would retry at the same time.
 *
 * @param failures number of consecutive failures, at least 1
 */
export const exponentialDelay = (failures: number, { first, longest }: DelayRange): number =>
  Math.min(longest, first * 2 ** (failures - 1));
