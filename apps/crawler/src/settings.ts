import { crawlType } from '#libs/contracts';
import { commonSettings, countSetting, databaseSettings, sealingSettings } from '#libs/platform';
import * as z from 'zod';

/** The settings that say how to crawl. */
export const crawlSettings = z.object({
  /** The results format: `full` adds the activity tree with its runtime data. */
  CRAWL_TYPE: crawlType.default('course'),
  /**
   * How often a busy provider application is asked for what has changed: seconds. An idle one is
   * asked up to ten times as rarely.
   */
  CRAWL_INTERVAL_SECONDS: countSetting.default(30),
  /** How often every registration is looked at, to find those that are gone: seconds. */
  CRAWL_SWEEP_INTERVAL_SECONDS: countSetting.default(21_600),
  /** Calls per second of one provider application, of all replicas together. */
  CRAWL_RATE_PER_SECOND: countSetting.default(10),
  /** How many provider applications one replica crawls at the same time. */
  CRAWL_CONCURRENCY: countSetting.default(4),
});
export type CrawlSettings = z.output<typeof crawlSettings>;

/** Where the parts of this app find {@link CrawlSettings} by injection. */
export const crawlSettingsToken = Symbol('crawl settings');

/** The environment variables of the crawler app. */
export const crawlerSettings = z.object({
  ...commonSettings.shape,
  ...databaseSettings.shape,
  ...sealingSettings.shape,
  ...crawlSettings.shape,
});
export type CrawlerSettings = z.output<typeof crawlerSettings>;
