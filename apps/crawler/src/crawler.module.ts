import {
  CourseProviderDirectory,
  provideCourseProviderDirectory,
} from '@registrar/course-provider';
import { PersistenceModule } from '@registrar/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApplicationsModule } from './applications/applications.module.ts';
import { CrawlHistoryModule } from './crawl-history/crawl-history.module.ts';
import { CrawlsModule } from './crawls/crawls.module.ts';
import { type ListSizes, listSizesToken } from './crawls/list-sizes.ts';
import { DueWorkModule } from './due-work/due-work.module.ts';
import { LimitRepeatedCalls } from './rate-limits/limit-repeated-calls.ts';
import { RateLimitsModule } from './rate-limits/rate-limits.module.ts';
import { crawlerSchema } from './schema.ts';
import { type CrawlerSettings, crawlSettingsToken } from './settings.ts';

/** The crawler context: what to crawl next, rate limits, and the history of crawls. */
@Module({})
export class CrawlerModule {
  static with(settings: CrawlerSettings, sizes: ListSizes): DynamicModule {
    return {
      module: CrawlerModule,
      // The feature modules use its providers.
      global: true,
      imports: [
        PersistenceModule.forContext(crawlerSchema, settings.DATABASE_URL),
        ApplicationsModule,
        CrawlHistoryModule,
        CrawlsModule,
        DueWorkModule,
        RateLimitsModule,
      ],
      providers: [
        { provide: crawlSettingsToken, useValue: settings },
        { provide: listSizesToken, useValue: sizes },
        provideCourseProviderDirectory(settings.MASTER_KEY_FILE, LimitRepeatedCalls),
      ],
      exports: [crawlSettingsToken, listSizesToken, CourseProviderDirectory],
    };
  }
}
