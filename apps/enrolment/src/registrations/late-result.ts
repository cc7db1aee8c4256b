import type { CrawlOutcome } from '@registrar/contracts';

/** The provider's times are whole seconds, and its clock may be behind by this much. */
const toleranceMs = 2_000;

/** After these delays a late result is asked for again: milliseconds. */
export const askAgainAfterMs: readonly number[] = [250, 500, 1_000, 1_250];

/** A launch that is older than this has brought what it will bring: SQL of an interval. */
export const recentLaunch = '1 hour';

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
