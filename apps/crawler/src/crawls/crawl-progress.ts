import { Database, sql } from '@registrar/persistence';
import { appLogger, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { CrawlHistory } from '../crawl-history/crawl-history.ts';
import { type CrawlStamp, type ListClaim } from '../due-work/claim.ts';
import { CrawlWindows, fromFirstPage, type ReadItems } from '../due-work/crawl-windows.ts';
import { nextInterval } from '../due-work/crawl-interval.ts';
import { jitter } from '../due-work/jitter.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { isSettled } from './listed-times.ts';

/** How often a window is read again from which registrations were missing. */
const maxRepetitions = 5;

/** A crawled page of a list. */
export interface CrawledPage {
  readonly stamp: CrawlStamp;
  /** The provider's token for the next page; null after the last page. */
  readonly more: string | null;
  readonly items: number;
  /**
   * The provider's number of items of the whole list, or of the window, at its first page; null if it is not known. A
   * provider that counts again on each page omits what has left the list since then.
   */
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
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /**
   * Advances the crawl past a page, in the transaction that publishes the page.
   *
   * @returns whether the whole list has been read, with all its windows
   */
  async advance(claim: ListClaim, page: CrawledPage): Promise<boolean> {
    await this.rateLimits.recordSuccess(claim.applicationId);
    const { more, items, total = null } = page;
    if (more !== null) {
      await (claim.window
        ? this.windows.advance(claim, { more, items, total })
        : this.saveProgress(claim, page));
      return false;
    }
    const all = await this.completeWindow(claim, page);
    if (all === null) return false;
    await this.complete(claim, page, all);
    return all.missing === 0;
  }

  /**
   * Removes a window that has been read to its end, or makes it due again if registrations were missing.
   *
   * @returns the items of the whole list; null while windows are left
   */
  private async completeWindow(claim: ListClaim, page: CrawledPage): Promise<ReadItems | null> {
    const items = claim.items + page.items;
    if (!claim.window) return { items, missing: 0 };
    const counted = page.total ?? items;
    const missing = isSettled(claim) ? Math.max(0, counted - items) : 0;
    if (missing === 0 || claim.window.repetitions === maxRepetitions) {
      return this.windows.complete(claim, { items, missing });
    }
    await this.windows.repeat(claim);
    return null;
  }

  private async saveProgress(claim: ListClaim, page: CrawledPage): Promise<void> {
    const firstPage = claim.firstPage ?? page.stamp;
    await this.database.execute(sql`
      UPDATE due_crawls
      SET more = ${page.more}, sequence = ${firstPage.sequence}, started_at = ${firstPage.at},
          items = items + ${page.items}, total = ${page.total ?? null},
          course_guids = course_guids || ${page.courseGuids ?? []}::text[],
          due_at = now(), failures = 0
      WHERE application_id = ${claim.applicationId} AND kind = ${claim.kind}`);
  }

  /** Schedules the next crawl. While items are missing, it begins where this one began. */
  private async complete(
    claim: ListClaim,
    page: CrawledPage,
    { items, missing }: ReadItems,
  ): Promise<void> {
    const { applicationId, kind } = claim;
    const startedAt = (claim.firstPage ?? page.stamp).at;
    const interval =
      kind === 'changed-registrations'
        ? nextInterval(claim.intervalSeconds, items, claim.policy.intervalSeconds)
        : claim.intervalSeconds;
    await this.database.execute(sql`
      UPDATE due_crawls
      SET ${fromFirstPage}, last_items = ${items}, missing = ${missing}, failures = 0, restarts = 0,
          window_at = CASE WHEN ${missing} = 0 THEN ${startedAt} ELSE window_at END,
          interval_seconds = ${interval},
          due_at = now() + ${interval}::integer * ${jitter} * interval '1 s'
      WHERE application_id = ${applicationId} AND kind = ${kind}`);
    if (kind === 'all-registrations') await this.endMissing(applicationId, startedAt);
    const error =
      missing === 0
        ? null
        : `${missing} registrations were not listed, though the provider counts them: ` +
          'the next crawl of changes begins at the same time';
    await this.history.record({ applicationId, kind, startedAt, items, error });
    if (error)
      this.logger.warn({ application: applicationId, reason: error }, 'a crawl is incomplete');
  }

  /** Lets crawls of changes begin at the beginning of a sweep, which has read all that was missing. */
  private async endMissing(applicationId: number, sweptAt: Date): Promise<void> {
    await this.database.execute(sql`
      UPDATE due_crawls SET window_at = greatest(window_at, ${sweptAt}), missing = 0
      WHERE application_id = ${applicationId} AND kind = 'changed-registrations' AND missing > 0`);
  }
}
