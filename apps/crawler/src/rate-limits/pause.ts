import { CourseProviderError } from '#libs/course-provider';

/** Seconds. What passes by itself is asked again sooner than what somebody has to put right. */
const passing = { first: 1, longest: 60 };
const lasting = { first: 30, longest: 300 };

/** A provider's own wish is followed up to this: seconds. */
const longestWish = 3600;

/**
 * How long to leave a provider application alone after a failure: seconds. It doubles with each of
 * the `failures` in a row, this one included, and is not shorter than the provider wants.
 *
 * @param chance a random number from 0 to 1, so that applications do not come back all at once
 */
export function pauseAfter(error: unknown, failures: number, chance: number): number {
  const fault = error instanceof CourseProviderError ? error.fault : null;
  const isLasting = fault?.kind === 'unauthorized' || fault?.kind === 'refused';
  const { first, longest } = isLasting ? lasting : passing;
  const pause = Math.min(longest, first * 2 ** Math.min(failures - 1, 30)) * (1 - chance / 4);
  return Math.max(pause, Math.min(fault?.retryAfter ?? 0, longestWish));
}
