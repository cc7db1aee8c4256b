import { Module } from '@nestjs/common';
import { CrawlHistoryModule } from '../crawl-history/crawl-history.module.ts';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.ts';
import { ConfigureCrawls } from './configure-crawls.ts';
import { CrawlPolicies } from './crawl-policies.ts';
import { RefreshApplications } from './refresh-applications.ts';

@Module({
  imports: [CrawlHistoryModule, RateLimitsModule],
  providers: [ConfigureCrawls, CrawlPolicies, RefreshApplications],
  exports: [CrawlPolicies],
})
export class ApplicationsModule {}
