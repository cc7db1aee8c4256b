import { crawlType } from '@registrar/contracts';
import * as z from 'zod';
import type { CrawlSettings } from '../settings.ts';
import type { CrawlPolicy } from './claim.ts';

/** What the operator has set for a provider application; null stands for the setting or the default. */
export const policyOverrides = z.object({
  intervalSeconds: z.number().nullable(),
  crawlType: crawlType.nullable(),
});

/** The default format of results. `full` adds the activity tree with its runtime data, which few clients read. */
const defaultCrawlType = 'course';

/** Returns how a provider application is crawled. */
export const policyOf = (
  { intervalSeconds, crawlType: type }: z.output<typeof policyOverrides>,
  settings: CrawlSettings,
): CrawlPolicy => ({
  intervalSeconds: intervalSeconds ?? settings.CRAWL_INTERVAL_SECONDS,
  crawlType: type ?? defaultCrawlType,
});
