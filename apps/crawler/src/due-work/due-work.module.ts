import { Module } from '@nestjs/common';
import { CrawlHistoryModule } from '../crawl-history/crawl-history.module.ts';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.ts';
import { ClaimWork } from './claim-work.ts';
import { CrawlWindows } from './crawl-windows.ts';
import { DueRegistrations } from './due-registrations.ts';
import { FindRegistrationCrawl } from './find-registration-crawl.ts';
import { Leases } from './leases.ts';
import { ListCrawls } from './list-crawls.ts';
import { ScheduleRegistration } from './schedule-registration.ts';
import { MakeCrawlsDue } from './make-crawls-due.ts';

@Module({
  imports: [CrawlHistoryModule, RateLimitsModule],
  controllers: [FindRegistrationCrawl, ListCrawls, ScheduleRegistration, MakeCrawlsDue],
  providers: [ClaimWork, CrawlWindows, DueRegistrations, Leases],
  exports: [ClaimWork, CrawlWindows, DueRegistrations, Leases],
})
export class DueWorkModule {}
