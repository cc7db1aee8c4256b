import { Module } from '@nestjs/common';
import { CrawlHistoryModule } from '../crawl-history/crawl-history.module.ts';
import { DueWorkModule } from '../due-work/due-work.module.ts';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.ts';
import { BringForward } from './bring-forward.ts';
import { CrawlClock } from './crawl-clock.ts';
import { CrawlCoursesPage } from './crawl-courses-page.ts';
import { CrawlDueRegistrations } from './crawl-due-registrations.ts';
import { CrawlLoop } from './crawl-loop.ts';
import { CrawlOnDemand } from './crawl-on-demand.ts';
import { CrawlProgress } from './crawl-progress.ts';
import { CrawlRegistrationPages } from './crawl-registration-pages.ts';
import { FetchRegistrations } from './fetch-registrations.ts';
import { OmitUnchangedResults } from './omit-unchanged-results.ts';
import { PerformCrawl } from './perform-crawl.ts';
import { RecordFailure } from './record-failure.ts';

@Module({
  imports: [CrawlHistoryModule, DueWorkModule, RateLimitsModule],
  controllers: [BringForward, CrawlOnDemand],
  providers: [
    CrawlClock,
    CrawlCoursesPage,
    CrawlDueRegistrations,
    CrawlLoop,
    CrawlProgress,
    CrawlRegistrationPages,
    FetchRegistrations,
    OmitUnchangedResults,
    PerformCrawl,
    RecordFailure,
  ],
})
export class CrawlsModule {}
