import { busMigrations } from '@registrar/bus';
import { type ContextSchema } from '@registrar/persistence';
import { Application } from './applications/application.entity.ts';
import { CrawlHistoryEntry } from './crawl-history/crawl-history-entry.entity.ts';
import { CrawlWindow } from './due-work/crawl-window.entity.ts';
import { DueCrawl } from './due-work/due-crawl.entity.ts';
import { DueRegistration } from './due-work/due-registration.entity.ts';
import { RateLimit } from './rate-limits/rate-limit.entity.ts';
import { Crawler1790000000000 } from './migrations/1790000000000-crawler.migration.ts';

/** The crawler's part of the database. */
export const crawlerSchema: ContextSchema = {
  name: 'crawler',
  entities: [Application, DueCrawl, CrawlWindow, DueRegistration, RateLimit, CrawlHistoryEntry],
  migrations: [...busMigrations, Crawler1790000000000],
};
