import { courseProviders } from '#libs/course-provider';
import { PersistenceModule } from '#libs/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccessEvents } from './applications/access-events.ts';
import { KnownApplications } from './applications/known-applications.ts';
import { Background } from './background.ts';
import { AskSequence } from './crawls/ask-sequence.ts';
import { CrawlByName } from './crawls/crawl-by-name.ts';
import { CrawlCoursesPage } from './crawls/crawl-courses-page.ts';
import { CrawlDueRegistrations } from './crawls/crawl-due-registrations.ts';
import { CrawlHistory } from './crawls/crawl-history.ts';
import { CrawlLoop } from './crawls/crawl-loop.ts';
import { CrawlMetrics } from './crawls/crawl-metrics.ts';
import { CrawlNow } from './crawls/crawl-now.ts';
import { CrawlProgress } from './crawls/crawl-progress.ts';
import { CrawlRegistrationsPage } from './crawls/crawl-registrations-page.ts';
import { CrawlRequests } from './crawls/crawl-requests.ts';
import { NoteFailure } from './crawls/note-failure.ts';
import { PerformCrawl } from './crawls/perform-crawl.ts';
import { ClaimWork } from './due-work/claim-work.ts';
import { DueRegistrations } from './due-work/due-registrations.ts';
import { EnrolmentEvents } from './due-work/enrolment-events.ts';
import { Leases } from './due-work/leases.ts';
import { RateLimits } from './rate-limits/rate-limits.ts';
import { crawlerSchema } from './schema.ts';
import { type CrawlerSettings, crawlSettingsToken } from './settings.ts';

/** The crawler context: what to crawl next, how fast, and what was crawled. */
@Module({})
export class CrawlerModule {
  static with(settings: CrawlerSettings): DynamicModule {
    return {
      module: CrawlerModule,
      imports: [PersistenceModule.forContext(crawlerSchema, settings.DATABASE_URL)],
      controllers: [AccessEvents, CrawlRequests, EnrolmentEvents],
      providers: [
        { provide: crawlSettingsToken, useValue: settings },
        courseProviders(settings.MASTER_KEY_FILE),
        AskSequence,
        Background,
        ClaimWork,
        CrawlByName,
        CrawlCoursesPage,
        CrawlDueRegistrations,
        CrawlHistory,
        CrawlLoop,
        CrawlMetrics,
        CrawlNow,
        CrawlProgress,
        CrawlRegistrationsPage,
        DueRegistrations,
        KnownApplications,
        Leases,
        NoteFailure,
        PerformCrawl,
        RateLimits,
      ],
    };
  }
}
