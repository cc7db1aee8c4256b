import {
  commonSettings,
  countSetting,
  databaseSettings,
  sealingSettings,
} from '@registrar/platform';
import * as z from 'zod';

/** The settings of crawls. */
export const crawlSettings = z.object({
  /**
   * The interval of crawls of changed registrations while a provider application is busy. The
   * interval of an idle one grows to ten times as much.
   */
  CRAWL_INTERVAL_SECONDS: countSetting.default(30),
  /** The most calls of one provider application in any second: of clients and crawls, by all replicas. */
  APPLICATION_CALLS_PER_SECOND: countSetting.default(500),
  /** The most calls of its crawls in any second; at most three quarters of all calls. */
  CRAWL_RATE_PER_SECOND: countSetting.default(10),
  /** The number of provider applications, or windows of their lists, that one replica crawls at the same time. */
  CRAWL_CONCURRENCY: countSetting.default(4),
});
export type CrawlSettings = z.output<typeof crawlSettings>;

/** The injection token of {@link CrawlSettings}. */
export const crawlSettingsToken = Symbol('crawl settings');

/** The environment variables of the crawler app. */
export const crawlerSettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  ...sealingSettings.shape,
  ...crawlSettings.shape,
});
export type CrawlerSettings = z.output<typeof crawlerSettings>;
