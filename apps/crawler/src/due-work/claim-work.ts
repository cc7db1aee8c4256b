import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { CrawlMetrics } from '../crawl-history/crawl-metrics.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { type Claim, crawlKind, type ListClaim, type ListKind } from './claim.ts';
import { DueRegistrations } from './due-registrations.ts';
import { policyOf, policyOverrides } from './crawl-policy.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { leaseSeconds } from './lease-times.ts';

/** The maximum number of registrations in one claim. */
const maxRegistrations = 20;

/** No work is claimed while the outbox holds this many events: their subscribers are behind. */
const maxOutboxEvents = 500;

const applicationRow = z.object({
  id: z.number(),
  realmId: z.number(),
  isLeased: z.boolean(),
  ...policyOverrides.shape,
});

const dueCrawlRow = z.object({
  kind: crawlKind,
  more: z.string().nullable(),
  sequence: z.number().nullable(),
  startedAt: z.date().nullable(),
  items: z.number(),
  total: z.number().nullable(),
  courseGuids: z.array(z.string()),
  intervalSeconds: z.number(),
  failures: z.number(),
  windowAt: z.date().nullable(),
  /** How long the list has been due; null after its first page. */
  lateSeconds: z.number().nullable(),
  windowId: z.number().nullable(),
  since: z.date().nullable(),
  until: z.date().nullable(),
  repetitions: z.number().nullable(),
});
type DueCrawlRow = z.output<typeof dueCrawlRow>;

const waitRow = z.object({ wait: z.number().nullable() });

const leaseRow = z.object({ epoch: z.number(), claimedAt: z.date() });

/** SQL of the windows `w` of the crawl in progress `d`. Others are left over from a crawl that began anew. */
const windowsOfList = sql`
  crawl_windows AS w
  WHERE w.application_id = d.application_id AND w.kind = d.kind AND w.sequence = d.sequence`;

/** SQL of the condition for a list `d` that is due as a whole. */
const isListDue = sql`d.due_at <= now() AND NOT EXISTS (SELECT FROM ${windowsOfList})`;

/** SQL of the condition for a window `w` that no replica crawls. */
const isWindowDue = sql`w.due_at <= now() AND w.lease_until <= clock_timestamp()`;

/**
 * Claims the next piece of work: a page of a list or of one of its windows, or some registrations. The provider
 * application that was served least recently is first, and of its kinds of work the one that was
 * served least recently, so that none waits for another with more to do. A claim includes the
 * first call that it needs from the application's rate limit.
 */
@Injectable()
export class ClaimWork {
  constructor(
    private readonly database: Database,
    private readonly rateLimits: RateLimits,
    private readonly dueRegistrations: DueRegistrations,
    private readonly metrics: CrawlMetrics,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /** @returns null when nothing is due, or no application that is due may be called now */
  async claim(): Promise<Claim | null> {
    for (;;) {
      const claimed = await this.database.transaction(() => this.claimNext());
      if (claimed !== 'try-next') return claimed;
    }
  }

  /**
   * Returns the milliseconds until an application may be called again that waits for its rate limit; null if none
   * does within a second.
   */
  async untilNextCall(): Promise<number | null> {
    const { wait } = await this.database.one(
      waitRow,
      sql`
        SELECT extract(epoch FROM min(serve_after) - clock_timestamp())::float8 * 1000 AS wait
        FROM applications
        WHERE NOT is_paused AND serve_after > clock_timestamp()
          AND serve_after < clock_timestamp() + interval '1 s'`,
    );
    return wait;
  }

  private async claimNext(): Promise<Claim | null | 'try-next'> {
    const application = await this.lockNextApplication();
    if (!application) return null;
    const crawl = await this.findNextCrawl(application);
    if (!crawl) return 'try-next';
    const due =
      crawl.kind === 'registrations-by-name'
        ? await this.dueRegistrations.findDue(application.id, maxRegistrations)
        : null;
    const { granted, wait } = await this.rateLimits.take(application.id, 1, 'background');
    if (granted === 0) {
      await this.database.execute(sql`
        UPDATE applications SET serve_after = clock_timestamp() + ${wait} * interval '1 ms'
        WHERE id = ${application.id}`);
      return 'try-next';
    }
    this.countLateness(crawl);
    const claimed = {
      applicationId: application.id,
      realmId: application.realmId,
      policy: policyOf(application, this.settings),
      ...(await this.startLease(application.id, crawl)),
    };
    return crawl.kind === 'registrations-by-name'
      ? { ...claimed, window: null, kind: crawl.kind, due: due ?? [] }
      : { ...claimed, ...listState(crawl, crawl.kind) };
  }

  /**
   * Returns the application with work that was served least recently, and locks its row. While its lease
   * is held, its windows are work.
   */
  private lockNextApplication(): Promise<z.output<typeof applicationRow> | null> {
    return this.database.maybeOne(
      applicationRow,
      sql`
        SELECT a.id, a.realm_id AS "realmId", a.interval_seconds AS "intervalSeconds",
               a.crawl_type AS "crawlType", a.lease_until > clock_timestamp() AS "isLeased"
        FROM applications AS a
        WHERE NOT a.is_paused AND a.serve_after <= clock_timestamp()
          AND (
            a.lease_until <= clock_timestamp() AND (
              EXISTS (
                SELECT FROM due_crawls AS d WHERE d.application_id = a.id AND ${isListDue}
              ) OR EXISTS (
                SELECT FROM due_registrations AS r
                WHERE r.application_id = a.id AND r.due_at <= now()
              )
            ) OR EXISTS (
              SELECT FROM due_crawls AS d
              WHERE d.application_id = a.id AND d.sequence IS NOT NULL
                AND EXISTS (SELECT FROM ${windowsOfList} AND ${isWindowDue})
            )
          )
          AND (
            SELECT count(*) FROM (
              SELECT FROM outbox WHERE parked_at IS NULL LIMIT ${maxOutboxEvents}
            ) AS waiting
          ) < ${maxOutboxEvents}
        ORDER BY a.last_served_at, a.id
        LIMIT 1
        FOR UPDATE OF a SKIP LOCKED`,
    );
  }

  /** Returns the kind of work that is due and was served least recently; of a divided list, a window. */
  private findNextCrawl({
    id: applicationId,
    isLeased,
  }: z.output<typeof applicationRow>): Promise<DueCrawlRow | null> {
    return this.database.maybeOne(
      dueCrawlRow,
      sql`
        SELECT d.kind, CASE WHEN w.id IS NULL THEN d.more ELSE w.more END AS more,
               d.sequence, d.started_at AS "startedAt", coalesce(w.items, d.items) AS items,
               CASE WHEN w.id IS NULL THEN d.total ELSE w.total END AS total, d.course_guids AS "courseGuids", d.interval_seconds AS "intervalSeconds",
               coalesce(w.failures, d.failures) AS failures, d.window_at AS "windowAt",
               CASE WHEN d.started_at IS NULL AND d.due_at <= now()
                 THEN extract(epoch FROM clock_timestamp() - d.due_at)::float END AS "lateSeconds",
               w.id AS "windowId", w.since, w.until, w.repetitions
        FROM due_crawls AS d
        LEFT JOIN LATERAL (
          SELECT * FROM ${windowsOfList} AND ${isWindowDue}
          ORDER BY w.since NULLS FIRST
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ) AS w ON true
        WHERE d.application_id = ${applicationId}
          AND (
            w.id IS NOT NULL
            OR (NOT ${isLeased} AND ${isListDue})
            OR (
              NOT ${isLeased} AND d.kind = 'registrations-by-name' AND EXISTS (
                SELECT FROM due_registrations AS r
                WHERE r.application_id = ${applicationId} AND r.due_at <= now()
              )
            )
          )
        ORDER BY d.last_served_at, d.kind
        LIMIT 1`,
    );
  }

  /** Counts how late a list is whose crawl begins. */
  private countLateness({ kind, lateSeconds, intervalSeconds, failures }: DueCrawlRow): void {
    if (lateSeconds === null || failures > 0) return;
    const intervals = lateSeconds / intervalSeconds;
    this.database.afterCommit(() => this.metrics.countLateness(kind, intervals));
  }

  private startLease(
    applicationId: number,
    { kind, windowId }: DueCrawlRow,
  ): Promise<z.output<typeof leaseRow>> {
    const leased = sql`
      lease_until = clock_timestamp() + ${leaseSeconds} * interval '1 s', epoch = epoch + 1`;
    const served = sql`
      WITH served AS (
        UPDATE due_crawls SET last_served_at = clock_timestamp()
        WHERE application_id = ${applicationId} AND kind = ${kind}
      )`;
    return this.database.one(
      leaseRow,
      windowId === null
        ? sql`${served}
            UPDATE applications SET ${leased}, last_served_at = clock_timestamp()
            WHERE id = ${applicationId}
            RETURNING epoch, clock_timestamp() AS "claimedAt"`
        : sql`${served}, turn AS (
              UPDATE applications SET last_served_at = clock_timestamp() WHERE id = ${applicationId}
            )
            UPDATE crawl_windows SET ${leased}
            WHERE application_id = ${applicationId} AND id = ${windowId}
            RETURNING epoch, clock_timestamp() AS "claimedAt"`,
    );
  }
}

function listState(row: DueCrawlRow, kind: ListKind) {
  const {
    sequence,
    startedAt,
    windowId,
    since,
    until,
    repetitions,
    lateSeconds: _,
    ...crawl
  } = row;
  const firstPage: ListClaim['firstPage'] =
    sequence && startedAt ? { sequence, at: startedAt } : null;
  const window: ListClaim['window'] =
    windowId === null ? null : { id: windowId, since, until, repetitions: repetitions ?? 0 };
  return { ...crawl, kind, firstPage, window };
}
