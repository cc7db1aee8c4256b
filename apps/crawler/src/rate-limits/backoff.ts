import { CourseProviderError } from '@registrar/course-provider';
import { type DelayRange, exponentialDelay } from '@registrar/platform';

/** Seconds. */
const transientDelays: DelayRange = { first: 1, longest: 60 };
/** Seconds, for faults that last until somebody corrects their cause. */
const permanentDelays: DelayRange = { first: 30, longest: 900 };

const maxRetryAfterSeconds = 3600;

/**
 * Returns how long not to call a provider application after a failure, in seconds: exponential
 * backoff with jitter, and at least the response's `Retry-After`.
 *
 * @param failures number of consecutive failures, this one included
 * @param random a random number from 0 to 1, which spreads the next calls of all applications
 */
export function backoffAfter(error: unknown, failures: number, random: number): number {
  const fault = error instanceof CourseProviderError ? error.fault : null;
  const isPermanent = fault?.kind === 'unauthorized' || fault?.kind === 'refused';
  const delays = isPermanent ? permanentDelays : transientDelays;
  const delay = exponentialDelay(failures, delays) * (1 - random / 4);
  return Math.max(delay, Math.min(fault?.retryAfter ?? 0, maxRetryAfterSeconds));
}
