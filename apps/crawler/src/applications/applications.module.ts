import { Module } from '@nestjs/common';
import { CrawlHistoryModule } from '../crawl-history/crawl-history.module.ts';
import { RefreshApplications } from './refresh-applications.ts';

@Module({ imports: [CrawlHistoryModule], providers: [RefreshApplications] })
export class ApplicationsModule {}
