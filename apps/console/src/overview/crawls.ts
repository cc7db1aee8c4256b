import type { BusClient } from '@registrar/bus';
import { listCrawls } from '@registrar/contracts';
import type { LateCrawl } from './overview.ts';

const pageSize = 200;
/** The most provider applications that are looked at, and that are named. */
const maxApplications = 1_000;
const maxNamed = 20;

/** A crawl that waits so long is late: seconds. */
const lateAfterSeconds = 60;

export interface CrawlsOverview {
  readonly applications: number;
  /** Whether there are more provider applications than were looked at. */
  readonly hasMore: boolean;
  readonly running: number;
  readonly late: number;
  readonly failing: number;
  readonly paused: number;
  readonly mostLateSeconds: number;
  /** The latest, and those that fail: the worst first. */
  readonly worst: readonly LateCrawl[];
}

/** Looks at the crawls of provider applications. */
export async function lookAtCrawls(bus: BusClient): Promise<CrawlsOverview> {
  const seen: LateCrawl[] = [];
  let hasMore = false;
  for await (const { items, next } of bus.pages(listCrawls, { applications: null }, pageSize)) {
    for (const { application, state, late_seconds: lateSeconds, error } of items) {
      seen.push({ application, state, lateSeconds, error });
    }
    hasMore = next !== null && seen.length >= maxApplications;
    if (hasMore) break;
  }
  const isRunnable = ({ state }: LateCrawl) => !['paused', 'disabled'].includes(state);
  const late = seen.filter((each) => isRunnable(each) && each.lateSeconds >= lateAfterSeconds);
  const failing = seen.filter((each) => isRunnable(each) && each.error !== null);
  const worst = [...new Set([...late, ...failing])].sort((a, b) => b.lateSeconds - a.lateSeconds);
  return {
    applications: seen.length,
    hasMore,
    running: seen.filter(({ state }) => state === 'crawling').length,
    late: late.length,
    failing: failing.length,
    paused: seen.filter(({ state }) => state === 'paused').length,
    mostLateSeconds: Math.max(0, ...late.map(({ lateSeconds }) => lateSeconds)),
    worst: worst.slice(0, maxNamed),
  };
}
