import { Module } from '@nestjs/common';
import { CrawlHistory } from './crawl-history.ts';
import { CrawlMetrics } from './crawl-metrics.ts';
import { ListCrawlHistory } from './list-crawl-history.ts';

@Module({
  controllers: [ListCrawlHistory],
  providers: [CrawlHistory, CrawlMetrics],
  exports: [CrawlHistory, CrawlMetrics],
})
export class CrawlHistoryModule {}
