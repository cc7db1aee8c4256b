import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { type CrawlKind } from '../due-work/claim.ts';
import { CrawlMetrics } from './crawl-metrics.ts';

/** How long the history goes back: days. */
const memory = 7;

/** A crawl that has ended. */
export interface EndedCrawl {
  readonly applicationId: number;
  readonly kind: CrawlKind | 'on-demand';
  readonly startedAt: Date;
  /** How many registrations or courses it has seen. */
  readonly items: number;
  /** Why it failed, for operators, without secrets; null when it did not. */
  readonly error: string | null;
}

/** What was crawled, for operators to look up. */
@Injectable()
export class CrawlHistory {
  constructor(
    private readonly database: Database,
    private readonly metrics: CrawlMetrics,
  ) {}

  /** Notes a crawl in the current transaction. */
  async note(crawl: EndedCrawl): Promise<void> {
    const { applicationId, kind, startedAt, items, error } = crawl;
    await this.database.query(
      `INSERT INTO crawl_history (application_id, kind, outcome, items, error, started_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [applicationId, kind, error === null ? 'done' : 'failed', items, error, startedAt],
    );
    this.database.afterCommit(() => this.metrics.ended(crawl));
  }

  /** Forgets crawls that ended long ago. */
  async prune(): Promise<void> {
    await this.database.query(
      `DELETE FROM crawl_history WHERE finished_at < now() - interval '${memory} days'`,
    );
  }
}
