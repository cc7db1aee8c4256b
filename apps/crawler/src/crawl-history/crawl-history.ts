import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { type CrawlKind } from '../due-work/claim.ts';
import { CrawlMetrics } from './crawl-metrics.ts';

const retentionDays = 7;

export interface FinishedCrawl {
  readonly applicationId: number;
  readonly kind: CrawlKind | 'on-demand';
  readonly startedAt: Date;
  /** Number of registrations or courses that the crawl read. */
  readonly items: number;
  /** The cause of a failure, for operators and without secrets; null after a success. */
  readonly error: string | null;
}

/** Records finished crawls, for operators. */
@Injectable()
export class CrawlHistory {
  constructor(
    private readonly database: Database,
    private readonly metrics: CrawlMetrics,
  ) {}

  /** Records a crawl in the current transaction, and counts it after the commit. */
  async record(crawl: FinishedCrawl): Promise<void> {
    const { applicationId, kind, startedAt, items, error } = crawl;
    const outcome = error === null ? 'done' : 'failed';
    await this.database.execute(
      sql`INSERT INTO crawl_history (application_id, kind, outcome, items, error, started_at)
          VALUES (${applicationId}, ${kind}, ${outcome}, ${items}, ${error}, ${startedAt})`,
    );
    this.database.afterCommit(() => this.metrics.count(crawl));
  }

  /** Deletes crawls that finished more than {@link retentionDays} days ago. */
  @PeriodicTask({ name: 'prune the crawl history', everyMs: 60 * 60_000, timeoutMs: 30_000 })
  async prune(): Promise<void> {
    await this.database.execute(
      sql`DELETE FROM crawl_history
          WHERE finished_at < now() - ${retentionDays} * interval '1 day'`,
    );
  }
}
