import { type MetFault } from './provider-faults.ts';

/** How often a call is sent at most. */
export const mostAttempts = 3;

const firstDelay = 100;

/**
 * Milliseconds to wait before a call that may be repeated is sent again, or null when it is not
 * worth it: the provider answered something else than a passing weakness, said itself when to come back,
 * or the deadline is too near.
 *
 * @param attempt how often it was sent so far
 * @param chance a random number from 0 to 1, so that callers do not come back all at once
 */
export function retryDelay(
  fault: MetFault,
  attempt: number,
  remaining: number,
  chance: number,
): number | null {
  if (!isPassing(fault) || fault.retryAfter !== null || attempt >= mostAttempts) return null;
  const delay = firstDelay * 2 ** (attempt - 1) * (0.5 + chance / 2);
  return delay < remaining ? delay : null;
}

const passingStatuses = ['502', '503', '504'];

/** A connection that failed, or a proxy without its server. */
const isPassing = ({ kind, providerCode }: MetFault): boolean =>
  kind === 'unavailable' && (!/^\d+$/.test(providerCode) || passingStatuses.includes(providerCode));
