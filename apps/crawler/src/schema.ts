import { busMigrations } from '@registrar/bus';
import { type ContextSchema } from '@registrar/persistence';
import { Application } from './applications/application.entity.ts';
import { CrawlHistoryEntry } from './crawl-history/crawl-history-entry.entity.ts';
import { CrawlWindow } from './due-work/crawl-window.entity.ts';
import { DueCrawl } from './due-work/due-crawl.entity.ts';
import { DueRegistration } from './due-work/due-registration.entity.ts';
import { Crawler1760000000000 } from './migrations/1760000000000-crawler.migration.ts';
import { BigintIds1760000000400 } from './migrations/1760000000400-bigint-ids.migration.ts';
import { PausedApplications1760000000410 } from './migrations/1760000000410-paused-applications.migration.ts';
import { CrawlPolicies1760000000420 } from './migrations/1760000000420-crawl-policies.migration.ts';
import { CrawlWindows1760000000430 } from './migrations/1760000000430-crawl-windows.migration.ts';
import { CallLimits1760000000440 } from './migrations/1760000000440-call-limits.migration.ts';
import { RateLimit } from './rate-limits/rate-limit.entity.ts';

/** The crawler's part of the database. */
export const crawlerSchema: ContextSchema = {
  name: 'crawler',
  entities: [Application, DueCrawl, CrawlWindow, DueRegistration, RateLimit, CrawlHistoryEntry],
  migrations: [
    ...busMigrations,
    Crawler1760000000000,
    BigintIds1760000000400,
    PausedApplications1760000000410,
    CrawlPolicies1760000000420,
    CrawlWindows1760000000430,
    CallLimits1760000000440,
  ],
};
