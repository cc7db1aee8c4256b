import type { CrawlType } from '@registrar/contracts';
import type { CrawlSettings } from '../settings.ts';
import type { CrawlPolicy } from './claim.ts';

/** What the operator has set for a provider application; null follows the settings. */
interface PolicyOverrides {
  readonly intervalSeconds: number | null;
  readonly crawlType: CrawlType | null;
}

/** Returns how a provider application is crawled. */
export const policyOf = (
  { intervalSeconds, crawlType }: PolicyOverrides,
  settings: CrawlSettings,
): CrawlPolicy => ({
  intervalSeconds: intervalSeconds ?? settings.CRAWL_INTERVAL_SECONDS,
  crawlType: crawlType ?? settings.CRAWL_TYPE,
});
