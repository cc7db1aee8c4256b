import { Failure } from '@registrar/contracts';
import { CourseProviderError } from '@registrar/course-provider';
import { Database, empty, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { CrawlHistory } from '../crawl-history/crawl-history.ts';
import { type Claim, type ListClaim } from '../due-work/claim.ts';
import { CrawlWindows, fromFirstPage } from '../due-work/crawl-windows.ts';
import { retryInterval } from '../due-work/crawl-interval.ts';
import { Leases } from '../due-work/leases.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';

/** After this many consecutive failures, the crawl of a list or window restarts from its first page. */
const maxPageFailures = 3;

const anew = sql`, restarts = restarts + 1, ${fromFirstPage}`;

/** Records that a claim's work failed and backs off from its provider application alone. */
@Injectable()
export class RecordFailure {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly windows: CrawlWindows,
    private readonly rateLimits: RateLimits,
    private readonly history: CrawlHistory,
  ) {}

  /** @throws {Failure} `expired` when the lease has expired; nothing is recorded then */
  async record(claim: Claim, error: unknown): Promise<void> {
    const { applicationId, kind } = claim;
    const isList = kind !== 'registrations-by-name';
    await this.leases.finish(claim, async () => {
      await this.rateLimits.recordFailure(applicationId, error);
      if (isList) await this.postpone(claim, error);
      await this.history.record({
        applicationId,
        kind,
        startedAt: (isList && claim.firstPage?.at) || claim.claimedAt,
        items: isList ? claim.items : 0,
        error: Failure.from(error).message,
      });
    });
  }

  /**
   * Schedules a retry of the page. The list, or its window, restarts from its first page when the provider refused
   * the request or the page failed too often.
   */
  private async postpone(claim: ListClaim, error: unknown): Promise<void> {
    const { applicationId, kind } = claim;
    const failures = claim.failures + 1;
    const delay = retryInterval(failures, claim.policy.intervalSeconds);
    const isRefused = error instanceof CourseProviderError && error.fault.kind === 'refused';
    const restart = isRefused || failures >= maxPageFailures;
    if (claim.window) {
      await this.windows.retry(claim, { delaySeconds: delay, restart });
      return;
    }
    await this.database.execute(sql`
      UPDATE due_crawls
      SET failures = ${failures}, due_at = now() + ${delay} * interval '1 s'${restart ? anew : empty}
      WHERE application_id = ${applicationId} AND kind = ${kind}`);
  }
}
