import { Failure } from '@registrar/contracts';

/** The delays before an event that failed is handled again, one after the other: milliseconds. */
export const retryDelaysMs = [1_000, 10_000, 60_000, 600_000] as const;

/**
 * What follows when an event could not be delivered or handled. An unreachable subscriber or dependency is not
 * the event's fault: the attempt does not count.
 *
 * @param failures the number of failed attempts before
 * @returns `delayMs` before the next attempt; null parks the event
 */
export function nextAttempt(error: unknown, failures: number) {
  const { code, message: reason } = Failure.from(error);
  if (code === 'unavailable') return { attempts: failures, delayMs: retryDelaysMs[0], reason };
  const attempts = failures + 1;
  return { attempts, delayMs: retryDelaysMs[attempts - 1] ?? null, reason };
}
