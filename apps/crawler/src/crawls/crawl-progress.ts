import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { type ListClaim } from '../due-work/claim.ts';
import { nextInterval } from '../due-work/crawl-interval.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { type Asked } from './ask-sequence.ts';
import { CrawlHistory } from './crawl-history.ts';

/** What one page of a list has added to its crawl. */
export interface CrawledPage {
  readonly asked: Asked;
  readonly more: string | null;
  readonly items: number;
  readonly courseGuids?: readonly string[];
}

/** Keeps a list's crawl between its pages, each of which any replica may crawl. */
@Injectable()
export class CrawlProgress {
  constructor(
    private readonly database: Database,
    private readonly rateLimits: RateLimits,
    private readonly history: CrawlHistory,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /** Notes a page, in the transaction that publishes it. */
  async advance(claim: ListClaim, page: CrawledPage): Promise<void> {
    await this.rateLimits.recovered(claim.applicationId);
    await (page.more === null ? this.complete(claim, page) : this.proceed(claim, page));
  }

  private async proceed(claim: ListClaim, page: CrawledPage): Promise<void> {
    const begun = claim.begun ?? page.asked;
    await this.database.query(
      `UPDATE due_crawls
       SET more = $3, sequence = $4, started_at = $5, items = items + $6,
           course_guids = course_guids || $7::text[], due_at = now(), failures = 0
       WHERE application_id = $1 AND kind = $2`,
      [
        claim.applicationId,
        claim.kind,
        page.more,
        begun.sequence,
        begun.at,
        page.items,
        page.courseGuids ?? [],
      ],
    );
  }

  private async complete(claim: ListClaim, page: CrawledPage): Promise<void> {
    const { applicationId, kind } = claim;
    const startedAt = (claim.begun ?? page.asked).at;
    const items = claim.items + page.items;
    const interval =
      kind === 'changed-registrations'
        ? nextInterval(claim.intervalSeconds, items, this.settings.CRAWL_INTERVAL_SECONDS)
        : claim.intervalSeconds;
    await this.database.query(
      `UPDATE due_crawls
       SET more = NULL, sequence = NULL, started_at = NULL, items = 0, course_guids = '{}',
           failures = 0, window_at = $3, interval_seconds = $4::integer,
           due_at = now() + $4::integer * interval '1 s'
       WHERE application_id = $1 AND kind = $2`,
      [applicationId, kind, startedAt, interval],
    );
    await this.history.note({ applicationId, kind, startedAt, items, error: null });
  }
}
