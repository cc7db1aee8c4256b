import { BusClient, type InputOf } from '#libs/bus';
import { crawlRegistrations, Failure, type recrawlRegistrations } from '#libs/contracts';
import { appLogger, currentOperation, type Logger, runOperation } from '#libs/platform';
import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { ApplyCrawl } from './apply-crawl.ts';
import { recrawlDeadline } from './recrawl-time.ts';
import { querySelected, selectRegistrations } from './selection.ts';

/** How many registrations one request brings up to date at most (decision 29). */
const recrawlLimit = 100;

/** Launched since it was last crawled (api-v2.md, States and transitions). */
const launchedSince =
  'r.launched_at IS NOT NULL AND (r.last_crawled_at IS NULL OR r.launched_at > r.last_crawled_at)';

/** Registrations of one provider application. */
interface Batch {
  readonly applicationId: number;
  readonly registrationGuids: string[];
}

/** Brings what an index is about to answer up to date with the provider (decision 29). */
@Injectable()
export class RecrawlRegistrations {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly applyCrawl: ApplyCrawl,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Never fails for a crawler that is away or slow: what is stored stays as it is. */
  async run(input: InputOf<typeof recrawlRegistrations>): Promise<{ recrawled: number }> {
    const batches = await this.select(input);
    const counts = await Promise.all(batches.map((batch) => this.recrawl(batch)));
    return { recrawled: counts.reduce((sum, count) => sum + count, 0) };
  }

  /** Those that were crawled longest ago come first, so that repeated calls get round to all. */
  private async select(input: InputOf<typeof recrawlRegistrations>): Promise<Batch[]> {
    const { scope, filters, lastOnly } = input;
    const selected = selectRegistrations(scope, filters, { lastOnly });
    return querySelected<Batch>(
      this.database,
      filters,
      `SELECT due.provider_application_id AS "applicationId",
              array_agg(due.registration_guid) AS "registrationGuids"
       FROM (
         SELECT r.provider_application_id, r.registration_guid
         FROM (${selected.sql}) AS r
         WHERE r.provider_state = 'ready' AND r.deleted IS NULL
           AND ${input.which === 'launched' ? `(${launchedSince})` : 'true'}
         ORDER BY r.last_crawled_at NULLS FIRST, r.id
         LIMIT ${recrawlLimit}
       ) AS due
       GROUP BY due.provider_application_id`,
      selected.parameters,
    );
  }

  private async recrawl({ applicationId, registrationGuids }: Batch): Promise<number> {
    try {
      const crawl = await inShareOfTime(() =>
        this.bus.request(crawlRegistrations, { applicationId, registrationGuids }),
      );
      await this.applyCrawl.run({ applicationId, ...crawl });
      return crawl.outcomes.length;
    } catch (error) {
      const failure = Failure.from(error);
      this.logger.warn(
        { application: applicationId, code: failure.code, reason: failure.message },
        'registrations are answered as stored: they could not be recrawled',
      );
      return 0;
    }
  }
}

/** Runs `ask` as an operation that ends early enough. */
function inShareOfTime<T>(ask: () => Promise<T>): Promise<T> {
  const operation = currentOperation();
  if (!operation) return ask();
  return runOperation(
    { ...operation, deadline: recrawlDeadline(Date.now(), operation.deadline) },
    ask,
  );
}
