import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CrawlHistoryEntry } from './crawl-history-entry.entity.ts';
import { CrawlHistory } from './crawl-history.ts';
import { CrawlMetrics } from './crawl-metrics.ts';
import { ListCrawlHistory } from './list-crawl-history.ts';

@Module({
  imports: [TypeOrmModule.forFeature([CrawlHistoryEntry])],
  controllers: [ListCrawlHistory],
  providers: [CrawlHistory, CrawlMetrics],
  exports: [CrawlHistory, CrawlMetrics],
})
export class CrawlHistoryModule {}
