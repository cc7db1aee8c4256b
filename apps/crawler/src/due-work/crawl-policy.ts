import { crawlType } from '@registrar/contracts';
import * as z from 'zod';
import type { CrawlSettings } from '../settings.ts';
import type { CrawlPolicy } from './claim.ts';

/** What the operator has set for a provider application; null follows the settings. */
export const policyOverrides = z.object({
  intervalSeconds: z.number().nullable(),
  crawlType: crawlType.nullable(),
});

/** Returns how a provider application is crawled. */
export const policyOf = (
  { intervalSeconds, crawlType: type }: z.output<typeof policyOverrides>,
  settings: CrawlSettings,
): CrawlPolicy => ({
  intervalSeconds: intervalSeconds ?? settings.CRAWL_INTERVAL_SECONDS,
  crawlType: type ?? settings.CRAWL_TYPE,
});
