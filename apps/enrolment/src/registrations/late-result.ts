import type { CrawlOutcome } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * By how much a result may be older than a launch whose effect it shows: the provider's times are whole seconds,
 * so that up to one is cut off, and its clock may be behind by another.
 */
const toleranceMs = 2_000;

/** For how long late results are asked for again, the calls included (contract/registrations#late-results). */
export const repeatForMs = 3_000;

/** The first delay before late results are asked for again; each is twice as long as the one before. */
const firstDelayMs = 250;

/** The time that is left for the last call. */
const lastCallMs = 250;

/** A launch that is older than this has brought what it will bring: SQL of an interval. */
export const recentLaunch = '1 hour';

/** The time and the delays of repeated crawls. Suites replace them. */
@Injectable()
export class RepeatClock {
  /** Milliseconds since the epoch. */
  now(): number {
    return Date.now();
  }

  async sleep(delayMs: number): Promise<void> {
    await sleep(delayMs);
  }
}

/**
 * Returns the delay before late results are asked for again: milliseconds; null when no time is left.
 *
 * @param repeats how often they were asked for again
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
