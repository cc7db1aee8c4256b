import type { CrawlOutcome } from '@registrar/contracts';

/**
 * By how much a result may be older than a launch whose effect it shows: the provider's times are whole seconds,
 * so that up to one is cut off, and its clock may be behind by another.
 */
const toleranceMs = 2_000;

/** How long late results are requested again, the calls included: milliseconds (contract/registrations#late-results). */
export const repeatForMs = 3_000;

/** The delay before the first repeated request for late results: milliseconds. It doubles each time. */
const firstDelayMs = 250;

/** The time that is left for the last call. */
const lastCallMs = 250;

/** Older launches are not recrawled: an SQL interval. */
export const recentLaunch = '1 hour';

/**
 * Returns the delay before late results are requested again: milliseconds; null when no time is left.
 *
 * @param repeats how often they were requested again
 * @param remainingMs the time until the results are returned as they are
 */
export function repeatDelay(repeats: number, remainingMs: number): number | null {
  const delayMs = Math.min(firstDelayMs * 2 ** repeats, remainingMs - lastCallMs);
  return delayMs < firstDelayMs ? null : delayMs;
}

/**
 * Returns whether a provider does not show the effect of a launch yet: the result is older than the launch, and
 * the provider does not tell whether the course is open (provider-api, late results). Our own provider does, and
 * shows results at once.
 */
export function isLate(outcome: CrawlOutcome, launchedAt: Date): boolean {
  if (outcome.outcome !== 'crawled') return false;
  const { updatedAt, accessedAt, hasOpenLaunch } = outcome.result;
  if (typeof hasOpenLaunch === 'boolean') return false;
  const newest = Math.max(...[updatedAt, accessedAt].map((at) => (at ? Date.parse(at) : 0)));
  return newest < launchedAt.getTime() - toleranceMs;
}
