import { BusClient, HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  crawlRegistrations,
  type CrawlOutcome,
  Failure,
  recrawlRegistrations,
} from '@registrar/contracts';
import { appLogger, clock, logFailedWork, type Logger } from '@registrar/platform';
import { Database, raw, sql, type Sql } from '@registrar/persistence';
import { Inject, Controller } from '@nestjs/common';
import * as z from 'zod';
import { ApplyCrawl } from './apply-crawl.ts';
import { earlierDeadline, withEarlierDeadline } from './earlier-deadline.ts';
import { isLate, recentLaunch, repeatDelay, repeatForMs } from './late-result.ts';
import { launchLinkExpirySeconds } from './launch-registration.ts';
import { lastCrawledAt, syncedAt } from './registration-record.ts';
import { querySelected, selectRegistrations } from './select-registrations.ts';

/** The most registrations that one request crawls (contract/registrations#recrawl-limit). */
const recrawlLimit = 100;

/**
 * The share of the remaining time that a recrawl may use: the index that requested it can still reply
 * within the deadline (contract/registrations#recrawl-late).
 */
const recrawlShare = 2 / 3;

/** The clocks of the services may differ by this much. */
const clockToleranceSeconds = 60;
/** A launch counts as ended after this time, if the provider does not report its end. */
const assumedLaunchSeconds = 24 * 3600;

const crawledWithin = (seconds: number): Sql =>
  sql`${lastCrawledAt} <= r.launched_at + ${seconds} * interval '1 second'`;

/**
 * Launched, and not crawled since that launch is known to have ended
 * (contract/registrations#refresh-if-launched). A crawl tells nothing about the end while the
 * launch link can still be opened.
 */
const launchedSinceCrawl = sql`(
  r.launched_at IS NOT NULL AND (
    r.last_crawled_at IS NULL
    OR ${crawledWithin(launchLinkExpirySeconds + clockToleranceSeconds)}
    OR coalesce(r.launch_open, ${crawledWithin(assumedLaunchSeconds)})
  )
)`;

/** SQL of the condition for a crawl of `registrations AS r`. */
function isToCrawl(which: InputOf<typeof recrawlRegistrations>['which']): Sql {
  if (which === 'all') return sql`true`;
  if (which === 'launched') return launchedSinceCrawl;
  const isOld = sql`coalesce(
    ${syncedAt} < now() - ${which.olderThanSeconds} * interval '1 second', true
  )`;
  return which.launched ? sql`(${isOld} OR ${launchedSinceCrawl})` : isOld;
}

/** Registrations of one provider application. */
const batchRow = z.object({ applicationId: z.number(), registrationGuids: z.array(z.string()) });
type Batch = z.infer<typeof batchRow>;

const launchRow = z.object({ registrationGuid: z.string(), launchedAt: z.date() });

/** Crawls the registrations that an index is about to return (contract/registrations#crawl). */
@Controller()
export class RecrawlRegistrations {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly applyCrawl: ApplyCrawl,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Succeeds even if the crawler is unavailable or slow: the stored results stay unchanged. */
  @HandleRequest(recrawlRegistrations)
  async recrawl(input: InputOf<typeof recrawlRegistrations>): Promise<{ recrawled: number }> {
    const batches = await this.select(input);
    const { which } = input;
    const afterLaunch = typeof which === 'string' || which.launched;
    const counts = await Promise.all(batches.map((batch) => this.recrawlBatch(batch, afterLaunch)));
    return { recrawled: counts.reduce((sum, count) => sum + count, 0) };
  }

  /** Selects the least recently crawled first, so that repeated calls reach all of them. */
  private async select(input: InputOf<typeof recrawlRegistrations>): Promise<Batch[]> {
    const { scope, filters, lastOnly } = input;
    return querySelected(
      this.database,
      scope,
      filters,
      batchRow,
      sql`SELECT due.provider_application_id AS "applicationId",
                 array_agg(due.registration_guid) AS "registrationGuids"
          FROM (
            SELECT r.provider_application_id, r.registration_guid
            FROM (${selectRegistrations(scope, filters, { lastOnly })}) AS r
            WHERE r.provider_state = 'ready' AND r.deleted IS NULL
              AND ${isToCrawl(input.which)}
            ORDER BY ${syncedAt} NULLS FIRST, r.id
            LIMIT ${recrawlLimit}
          ) AS due
          GROUP BY due.provider_application_id`,
    );
  }

  private async recrawlBatch(batch: Batch, afterLaunch: boolean): Promise<number> {
    const deadline = earlierDeadline(recrawlShare);
    try {
      const { outcomes } = await this.crawl(batch, deadline);
      if (afterLaunch) await this.crawlLate(batch.applicationId, outcomes, deadline);
      return outcomes.length;
    } catch (error) {
      this.logFailure(
        batch,
        error,
        'recrawl of registrations failed; the index returns them as stored',
      );
      return 0;
    }
  }

  /** Crawls registrations, and stores the results. */
  private async crawl(
    batch: Batch,
    deadline: number | null,
  ): Promise<ReplyOf<typeof crawlRegistrations>> {
    const crawl = await withEarlierDeadline(deadline, () =>
      this.bus.request(crawlRegistrations, batch),
    );
    const outcomes = [...crawl.outcomes, ...failuresOf(batch, crawl)];
    await this.applyCrawl.apply({ applicationId: batch.applicationId, ...crawl, outcomes });
    return crawl;
  }

  /**
   * Crawls those again, together, whose results do not show their last launch yet, until they do or the time is
   * over (contract/registrations#late-results). Does not fail: the results of the first crawl are stored.
   */
  private async crawlLate(
    applicationId: number,
    crawled: readonly CrawlOutcome[],
    deadline: number | null,
  ): Promise<void> {
    const end = Math.min(clock.now() + repeatForMs, deadline ?? Infinity);
    let registrationGuids = await this.findLate(applicationId, crawled);
    for (let repeats = 0; registrationGuids.length > 0; repeats += 1) {
      const delayMs = repeatDelay(repeats, end - clock.now());
      if (delayMs === null) return;
      await clock.sleep(delayMs);
      const batch = { applicationId, registrationGuids };
      try {
        const { outcomes } = await this.crawl(batch, end);
        registrationGuids = await this.findLate(applicationId, outcomes);
      } catch (error) {
        // The last crawl may be cut off by the end.
        if (Failure.from(error).code === 'expired') return;
        this.logFailure(
          batch,
          error,
          'crawl of late results failed; the index returns earlier ones',
        );
        return;
      }
    }
  }

  private logFailure({ applicationId }: Batch, error: unknown, message: string): void {
    const { code, message: reason } = Failure.from(error);
    logFailedWork(this.logger, error, { application: applicationId, code, reason }, message);
  }

  private async findLate(
    applicationId: number,
    crawled: readonly CrawlOutcome[],
  ): Promise<string[]> {
    const outcomes = new Map(crawled.map((outcome) => [outcome.registrationGuid, outcome]));
    const launches = await this.database.many(
      launchRow,
      sql`SELECT registration_guid AS "registrationGuid", launched_at AS "launchedAt"
          FROM registrations
          WHERE provider_application_id = ${applicationId}
            AND registration_guid = ANY(${[...outcomes.keys()]})
            AND launched_at > now() - interval '${raw(recentLaunch)}'`,
    );
    return launches
      .filter(({ registrationGuid, launchedAt }) => {
        const outcome = outcomes.get(registrationGuid);
        return outcome && isLate(outcome, launchedAt);
      })
      .map(({ registrationGuid }) => registrationGuid);
  }
}

/** The registrations that an outage of the provider has left without a result (contract/registrations#provider-errors). */
function failuresOf(
  { registrationGuids }: Batch,
  { outcomes, fault }: ReplyOf<typeof crawlRegistrations>,
): CrawlOutcome[] {
  if (!fault) return [];
  const crawled = new Set(outcomes.map((outcome) => outcome.registrationGuid));
  return registrationGuids
    .filter((registrationGuid) => !crawled.has(registrationGuid))
    .map((registrationGuid) => ({ outcome: 'failed', registrationGuid, ...fault }));
}
