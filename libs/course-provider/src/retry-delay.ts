import { exponentialDelay } from '@registrar/platform';
import { type FaultCause } from './provider-faults.ts';

/** How often a call is sent at most, the first time included. */
export const maxAttempts = 3;

const delayMsRange = { first: 100, longest: 1_000 };

/**
 * Returns the delay before a call is sent again, in milliseconds: exponential backoff with jitter.
 * Returns null when the call must not be repeated: the fault is not transient, the response carried
 * `Retry-After`, all attempts are used, or the deadline is nearer than the delay.
 *
 * @param attempt how often the call was sent so far
 * @param remaining milliseconds until the deadline
 * @param random a random number from 0 to 1, which spreads the delays of concurrent callers
 */
export function retryDelay(
  fault: FaultCause,
  attempt: number,
  remaining: number,
  random: number,
): number | null {
  if (!isTransient(fault) || fault.retryAfter !== null || attempt >= maxAttempts) return null;
  const delay = exponentialDelay(attempt, delayMsRange) * (0.5 + random / 2);
  return delay < remaining ? delay : null;
}

const transientStatuses = ['502', '503', '504'];

/** True for a failed connection and for a proxy that does not reach its server. */
const isTransient = ({ kind, providerCode }: FaultCause): boolean =>
  kind === 'unavailable' &&
  (!/^\d+$/.test(providerCode) || transientStatuses.includes(providerCode));
