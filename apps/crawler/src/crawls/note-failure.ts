import { Failure } from '#libs/contracts';
import { CourseProviderError } from '#libs/course-provider';
import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { type Claim, type ListClaim } from '../due-work/claim.ts';
import { retryInterval } from '../due-work/crawl-interval.ts';
import { Leases } from '../due-work/leases.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { CrawlHistory } from './crawl-history.ts';

/** After so many failures in a row a list is begun anew. */
const patience = 3;

/** Notes that a claim's work has failed, and slows its provider application down, alone. */
@Injectable()
export class NoteFailure {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly rateLimits: RateLimits,
    private readonly history: CrawlHistory,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  async run(claim: Claim, error: unknown): Promise<void> {
    const { applicationId, kind } = claim;
    const isList = kind !== 'registrations-by-name';
    await this.leases.finish(claim, async () => {
      await this.rateLimits.slowDown(applicationId, error);
      if (isList) await this.postpone(claim, error);
      await this.history.note({
        applicationId,
        kind,
        startedAt: (isList && claim.begun?.at) || claim.claimedAt,
        items: isList ? claim.items : 0,
        error: Failure.from(error).message,
      });
    });
  }

  /** Crawls the page again later; where that will not do, the list from its beginning. */
  private async postpone(claim: ListClaim, error: unknown): Promise<void> {
    const failures = claim.failures + 1;
    const delay = retryInterval(failures, this.settings.CRAWL_INTERVAL_SECONDS);
    const refused = error instanceof CourseProviderError && error.fault.kind === 'refused';
    await this.database.query(
      `UPDATE due_crawls SET failures = $3, due_at = now() + $4 * interval '1 s'
       WHERE application_id = $1 AND kind = $2`,
      [claim.applicationId, claim.kind, failures, delay],
    );
    if (!refused && failures < patience) return;
    await this.database.query(
      `UPDATE due_crawls
       SET more = NULL, sequence = NULL, started_at = NULL, items = 0, course_guids = '{}'
       WHERE application_id = $1 AND kind = $2`,
      [claim.applicationId, claim.kind],
    );
  }
}
