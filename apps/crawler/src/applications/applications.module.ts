import { Module } from '@nestjs/common';
import { CrawlHistoryModule } from '../crawl-history/crawl-history.module.ts';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.ts';
import { ConfigureCrawls } from './configure-crawls.ts';
import { RefreshAfterAccessChange } from './refresh-after-access-change.ts';
import { RefreshApplications } from './refresh-applications.ts';
import { TestProvider } from './test-provider.ts';

@Module({
  imports: [CrawlHistoryModule, RateLimitsModule],
  controllers: [ConfigureCrawls, RefreshAfterAccessChange, TestProvider],
  providers: [RefreshApplications],
})
export class ApplicationsModule {}
