import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { CrawlHistory } from '../crawl-history/crawl-history.ts';
import { type CrawlStamp, type ListClaim } from '../due-work/claim.ts';
import { CrawlWindows } from '../due-work/crawl-windows.ts';
import { nextInterval } from '../due-work/crawl-interval.ts';
import { jitter } from '../due-work/jitter.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';

/** A crawled page of a list. */
export interface CrawledPage {
  readonly stamp: CrawlStamp;
  /** The provider's token for the next page; null after the last page. */
  readonly more: string | null;
  readonly items: number;
  /** The provider's number of items of the whole list; null if it is not known. */
  readonly total?: number | null;
  readonly courseGuids?: readonly string[];
}

/** Stores the progress of a list's crawl, so that any replica can crawl the next page. */
@Injectable()
export class CrawlProgress {
  constructor(
    private readonly database: Database,
    private readonly windows: CrawlWindows,
    private readonly rateLimits: RateLimits,
    private readonly history: CrawlHistory,
  ) {}

  /**
   * Advances the crawl past a page, in the transaction that publishes the page.
   *
   * @returns whether the list has been read to its end, with all its windows
   */
  async advance(claim: ListClaim, page: CrawledPage): Promise<boolean> {
    await this.rateLimits.recordSuccess(claim.applicationId);
    const { more, items } = page;
    if (more !== null) {
      await (claim.window
        ? this.windows.advance(claim, { more, items })
        : this.saveProgress(claim, page));
      return false;
    }
    const read = claim.items + items;
    const all = claim.window ? await this.windows.complete(claim, read) : read;
    if (all === null) return false;
    await this.complete(claim, page, all);
    return true;
  }

  private async saveProgress(claim: ListClaim, page: CrawledPage): Promise<void> {
    const firstPage = claim.firstPage ?? page.stamp;
    await this.database.execute(sql`
      UPDATE due_crawls
      SET more = ${page.more}, sequence = ${firstPage.sequence}, started_at = ${firstPage.at},
          items = items + ${page.items}, total = coalesce(${page.total ?? null}, total),
          course_guids = course_guids || ${page.courseGuids ?? []}::text[],
          due_at = now(), failures = 0
      WHERE application_id = ${claim.applicationId} AND kind = ${claim.kind}`);
  }

  /** @param items the number of items of the whole list */
  private async complete(claim: ListClaim, page: CrawledPage, items: number): Promise<void> {
    const { applicationId, kind } = claim;
    const startedAt = (claim.firstPage ?? page.stamp).at;
    const interval =
      kind === 'changed-registrations'
        ? nextInterval(claim.intervalSeconds, items, claim.policy.intervalSeconds)
        : claim.intervalSeconds;
    await this.database.execute(sql`
      UPDATE due_crawls
      SET more = NULL, sequence = NULL, started_at = NULL, items = 0, total = NULL,
          course_guids = '{}', last_items = ${items}, failures = 0, window_at = ${startedAt}, interval_seconds = ${interval},
          due_at = now() + ${interval}::integer * ${jitter} * interval '1 s'
      WHERE application_id = ${applicationId} AND kind = ${kind}`);
    await this.history.record({ applicationId, kind, startedAt, items, error: null });
  }
}
