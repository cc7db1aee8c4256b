import { BusClient, HandleRequest, type InputOf } from '@registrar/bus';
import { crawlRegistrations, Failure, recrawlRegistrations } from '@registrar/contracts';
import {
  appLogger,
  currentRequestContext,
  type Logger,
  runInRequestContext,
} from '@registrar/platform';
import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { ApplyCrawl } from './apply-crawl.ts';
import { recrawlDeadline } from './recrawl-deadline.ts';
import { querySelected, selectRegistrations } from './select-registrations.ts';

/** The most registrations that one request crawls (contract/registrations#recrawl-limit). */
const recrawlLimit = 100;

/** Launched since the last crawl (contract/registrations#refresh-if-launched). */
const launchedSinceCrawl = sql`(
  r.launched_at IS NOT NULL AND (r.last_crawled_at IS NULL OR r.launched_at > r.last_crawled_at)
)`;

/** Registrations of one provider application. */
const batchRow = z.object({ applicationId: z.number(), registrationGuids: z.array(z.string()) });
type Batch = z.infer<typeof batchRow>;

/** Crawls the registrations that an index is about to return (contract/registrations#crawl). */
@Injectable()
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
    const counts = await Promise.all(batches.map((batch) => this.recrawlBatch(batch)));
    return { recrawled: counts.reduce((sum, count) => sum + count, 0) };
  }

  /** Selects the least recently crawled first, so that repeated calls reach all of them. */
  private async select(input: InputOf<typeof recrawlRegistrations>): Promise<Batch[]> {
    const { scope, filters, lastOnly } = input;
    return querySelected(
      this.database,
      filters,
      batchRow,
      sql`SELECT due.provider_application_id AS "applicationId",
                 array_agg(due.registration_guid) AS "registrationGuids"
          FROM (
            SELECT r.provider_application_id, r.registration_guid
            FROM (${selectRegistrations(scope, filters, { lastOnly })}) AS r
            WHERE r.provider_state = 'ready' AND r.deleted IS NULL
              AND ${input.which === 'launched' ? launchedSinceCrawl : sql`true`}
            ORDER BY r.last_crawled_at NULLS FIRST, r.id
            LIMIT ${recrawlLimit}
          ) AS due
          GROUP BY due.provider_application_id`,
    );
  }

  private async recrawlBatch({ applicationId, registrationGuids }: Batch): Promise<number> {
    try {
      const crawl = await withRecrawlDeadline(() =>
        this.bus.request(crawlRegistrations, { applicationId, registrationGuids }),
      );
      await this.applyCrawl.apply({ applicationId, ...crawl });
      return crawl.outcomes.length;
    } catch (error) {
      const failure = Failure.from(error);
      this.logger.warn(
        { application: applicationId, code: failure.code, reason: failure.message },
        'recrawl of registrations failed; the index returns them as stored',
      );
      return 0;
    }
  }
}

/** Runs `request` in a request context whose deadline is {@link recrawlDeadline}. */
function withRecrawlDeadline<T>(request: () => Promise<T>): Promise<T> {
  const context = currentRequestContext();
  if (!context) return request();
  return runInRequestContext(
    { ...context, deadline: recrawlDeadline(Date.now(), context.deadline) },
    request,
  );
}
