import { crawlType } from '@registrar/contracts';
import {
  commonSettings,
  countSetting,
  databaseSettings,
  sealingSettings,
} from '@registrar/platform';
import * as z from 'zod';

/** The settings of crawls. */
export const crawlSettings = z.object({
  /** The format of results: `full` adds the activity tree with its runtime data. */
  CRAWL_TYPE: crawlType.default('course'),
  /**
   * The interval of crawls of changed registrations while a provider application is busy. The
   * interval of an idle one grows to ten times as much.
   */
  CRAWL_INTERVAL_SECONDS: countSetting.default(30),
  /** The interval of full sweeps, which find deleted registrations. */
  CRAWL_SWEEP_INTERVAL_SECONDS: countSetting.default(21_600),
  /** The most calls of one provider application in any second: of clients and crawls, by all replicas. */
  APPLICATION_CALLS_PER_SECOND: countSetting.default(500),
  /** The most calls of its crawls in any second; at most three quarters of all calls. */
  CRAWL_RATE_PER_SECOND: countSetting.default(10),
  /** The most pages of a list that a replica crawls before another provider application has its turn. */
  CRAWL_PAGES_PER_TURN: countSetting.default(8),
  /**
   * The number of registrations in a window of a long list. A list of more than twice as many is divided
   * into windows, which replicas crawl side by side.
   */
  CRAWL_WINDOW_REGISTRATIONS: countSetting.default(10_000),
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
