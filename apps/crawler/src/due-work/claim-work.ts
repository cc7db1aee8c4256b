import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { type Claim, type CrawlKind, type ListClaim, type ListKind } from './claim.ts';
import { DueRegistrations } from './due-registrations.ts';
import { leaseTime } from './lease.ts';

/** How many registrations are crawled by name in one turn, at most. */
const batchSize = 20;

/** With so many events waiting to be sent, nothing is crawled: their readers are behind. */
const fullOutbox = 500;

interface Application {
  readonly id: number;
  readonly realmId: number;
}

interface DueCrawl extends Pick<
  ListClaim,
  'more' | 'items' | 'courseGuids' | 'intervalSeconds' | 'failures' | 'windowAt'
> {
  readonly kind: CrawlKind;
  readonly sequence: string | null;
  readonly startedAt: Date | null;
}

/**
 * Finds the next piece of work: one page of a list, or some registrations by name. Provider
 * applications take turns, and so do the kinds of work of each, so that none waits for another
 * that has more to do. A claim comes with the calls that it needs, out of the application's rate
 * limit.
 */
@Injectable()
export class ClaimWork {
  constructor(
    private readonly database: Database,
    private readonly rateLimits: RateLimits,
    private readonly dueRegistrations: DueRegistrations,
  ) {}

  /** @returns null when nothing is due, or nothing that may be called now */
  async run(): Promise<Claim | null> {
    for (;;) {
      const claimed = await this.database.transaction(() => this.claimNext());
      if (claimed !== 'not-yet') return claimed;
    }
  }

  private async claimNext(): Promise<Claim | null | 'not-yet'> {
    const application = await this.nextApplication();
    if (!application) return null;
    const crawl = await this.nextCrawl(application.id);
    if (!crawl) return 'not-yet';
    const due =
      crawl.kind === 'registrations-by-name'
        ? await this.dueRegistrations.next(application.id, batchSize)
        : null;
    const wanted = due?.length ?? 1;
    const { granted, wait } = await this.rateLimits.take(application.id, wanted, 'background');
    if (granted === 0) {
      await this.database.query(
        `UPDATE applications SET serve_after = clock_timestamp() + $2 * interval '1 ms'
         WHERE id = $1`,
        [application.id, wait],
      );
      return 'not-yet';
    }
    const held = { applicationId: application.id, realmId: application.realmId };
    const { epoch, claimedAt } = await this.hold(application.id, crawl.kind);
    if (crawl.kind === 'registrations-by-name') {
      return { ...held, epoch, claimedAt, kind: crawl.kind, due: due?.slice(0, granted) ?? [] };
    }
    return { ...held, epoch, claimedAt, ...listOf(crawl, crawl.kind) };
  }

  /** Of those with work, the one that was served longest ago; its row is locked. */
  private async nextApplication(): Promise<Application | null> {
    const [application] = await this.database.query<Application>(
      `SELECT a.id, a.realm_id AS "realmId" FROM applications AS a
       WHERE a.lease_until <= clock_timestamp() AND a.serve_after <= clock_timestamp()
         AND (
           EXISTS (
             SELECT FROM due_crawls AS d WHERE d.application_id = a.id AND d.due_at <= now()
           ) OR EXISTS (
             SELECT FROM due_registrations AS r
             WHERE r.application_id = a.id AND r.due_at <= now()
           )
         )
         AND (
           SELECT count(*) FROM (
             SELECT FROM outbox WHERE parked_at IS NULL LIMIT ${fullOutbox}
           ) AS waiting
         ) < ${fullOutbox}
       ORDER BY a.last_served_at, a.id
       LIMIT 1
       FOR UPDATE OF a SKIP LOCKED`,
    );
    return application ?? null;
  }

  /** Of the kinds of work that are due, the one that had its turn longest ago. */
  private async nextCrawl(applicationId: number): Promise<DueCrawl | null> {
    const [crawl] = await this.database.query<DueCrawl>(
      `SELECT kind, more, sequence, started_at AS "startedAt", items,
              course_guids AS "courseGuids", interval_seconds AS "intervalSeconds", failures,
              window_at AS "windowAt"
       FROM due_crawls
       WHERE application_id = $1
         AND (
           due_at <= now()
           OR (
             kind = 'registrations-by-name' AND EXISTS (
               SELECT FROM due_registrations AS r
               WHERE r.application_id = $1 AND r.due_at <= now()
             )
           )
         )
       ORDER BY last_served_at, kind
       LIMIT 1`,
      [applicationId],
    );
    return crawl ?? null;
  }

  private async hold(
    applicationId: number,
    kind: CrawlKind,
  ): Promise<{ epoch: string; claimedAt: Date }> {
    const [held] = await this.database.query<{ epoch: string; claimedAt: Date }>(
      `WITH served AS (
         UPDATE due_crawls SET last_served_at = clock_timestamp()
         WHERE application_id = $1 AND kind = $2
       )
       UPDATE applications
       SET lease_until = clock_timestamp() + interval '${leaseTime} s', epoch = epoch + 1,
           last_served_at = clock_timestamp()
       WHERE id = $1
       RETURNING epoch, last_served_at AS "claimedAt"`,
      [applicationId, kind],
    );
    if (!held) throw new Error('a locked application is gone');
    return held;
  }
}

function listOf(crawl: DueCrawl, kind: ListKind) {
  const { sequence, startedAt, more, items, courseGuids, intervalSeconds, failures, windowAt } =
    crawl;
  const begun = sequence && startedAt ? { sequence: Number(sequence), at: startedAt } : null;
  return { kind, begun, more, items, courseGuids, intervalSeconds, failures, windowAt };
}
