import { Database, sql, type Sql } from '@registrar/persistence';
import { sampledGauge } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import * as z from 'zod';
import { burstFraction, refillRate } from '../rate-limits/token-bucket.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { type FinishedCrawl } from './crawl-history.ts';

const latenessRow = z.object({ kind: z.string(), seconds: z.number() });
const applicationRow = z.object({ application: z.number(), value: z.number() });

/** The most provider applications that one metric shows: the worst ones. */
const maxApplications = 100;

/** Counts finished crawls and measures how overdue crawls are. */
@Injectable()
export class CrawlMetrics {
  readonly #finished: Counter<'kind' | 'outcome'>;
  readonly #items: Counter<'kind'>;
  readonly #lateness: Histogram<'kind'>;

  constructor(
    registry: Registry,
    private readonly database: Database,
    @Inject(crawlSettingsToken) settings: CrawlSettings,
  ) {
    this.#finished = new Counter({
      name: 'registrar_crawls_total',
      help: 'Finished crawls by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    this.#items = new Counter({
      name: 'registrar_crawled_items_total',
      help: 'Registrations and courses that finished crawls have read, by kind of crawl.',
      labelNames: ['kind'],
      registers: [registry],
    });
    this.#lateness = new Histogram({
      name: 'registrar_crawl_lateness_intervals',
      help: 'How late crawls of lists began after they were due, as a multiple of their interval.',
      labelNames: ['kind'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50],
      registers: [registry],
    });
    const limit = sql`coalesce(a.calls_per_second, ${settings.APPLICATION_CALLS_PER_SECOND})`;
    const elapsed = sql`greatest(0, extract(epoch FROM now() - l.refilled_at))::float`;
    this.registerApplicationGauge(
      registry,
      'registrar_provider_calls_left',
      'Calls that may be made at once for a provider application, the 100 with fewest.',
      sql`
        SELECT a.id AS application,
               floor(least(
                 greatest(1, ${limit} * ${burstFraction}::float),
                 l.tokens + ${elapsed} * ${limit} * ${refillRate(1)}::float
               )) AS value
        FROM rate_limits AS l JOIN applications AS a ON a.id = l.application_id
        ORDER BY value, a.id LIMIT ${maxApplications}`,
    );
    this.registerApplicationGauge(
      registry,
      'registrar_crawl_pause_seconds',
      'Seconds until crawls of a provider application go on after a failure, the 100 longest.',
      sql`
        SELECT application_id AS application,
               extract(epoch FROM paused_until - now())::float AS value
        FROM rate_limits WHERE paused_until > now()
        ORDER BY value DESC LIMIT ${maxApplications}`,
    );
    this.registerApplicationGauge(
      registry,
      'registrar_crawl_application_lateness_seconds',
      'Seconds since the most overdue list of a provider application was due, the 100 latest.',
      sql`
        SELECT d.application_id AS application,
               extract(epoch FROM now() - min(d.due_at))::float AS value
        FROM due_crawls AS d JOIN applications AS a ON a.id = d.application_id
        WHERE d.due_at < now() AND NOT a.is_paused
        GROUP BY d.application_id
        ORDER BY value DESC LIMIT ${maxApplications}`,
    );
    this.registerApplicationGauge(
      registry,
      'registrar_crawl_failures',
      'Failures of the list of a provider application that failed most often since it was complete, the 100 with most.',
      sql`
        SELECT a.id AS application, max(f.failures)::float AS value
        FROM (
          SELECT application_id, failures + restarts AS failures FROM due_crawls
          UNION ALL
          SELECT application_id, failures + restarts FROM crawl_windows
        ) AS f JOIN applications AS a ON a.id = f.application_id
        WHERE NOT a.is_paused AND f.failures > 0
        GROUP BY a.id ORDER BY value DESC LIMIT ${maxApplications}`,
    );
    this.registerApplicationGauge(
      registry,
      'registrar_crawl_lowered_rate',
      'Calls per second to which failures have lowered a rate, the 100 lowest.',
      sql`
        SELECT application_id AS application, rate AS value FROM rate_limits
        WHERE rate IS NOT NULL ORDER BY rate LIMIT ${maxApplications}`,
    );
    this.registerApplicationGauge(
      registry,
      'registrar_crawl_windows',
      'Windows of divided lists that are not complete, by provider application, the 100 with most.',
      sql`
        SELECT application_id AS application, count(*)::float AS value FROM crawl_windows
        GROUP BY application_id ORDER BY value DESC LIMIT ${maxApplications}`,
    );
    this.registerApplicationGauge(
      registry,
      'registrar_crawl_missing_registrations',
      'Registrations that the last crawl of changes did not list though the provider counts them, the 100 with most.',
      sql`
        SELECT application_id AS application, missing::float AS value FROM due_crawls
        WHERE kind = 'changed-registrations' AND missing > 0
        ORDER BY value DESC LIMIT ${maxApplications}`,
    );
    sampledGauge(
      registry,
      {
        name: 'registrar_crawl_lateness_seconds',
        help: 'Seconds since the most overdue crawl of each kind was due.',
        label: 'kind',
      },
      () => this.measureLateness(),
    );
  }

  count({ kind, items, error }: FinishedCrawl): void {
    this.#finished.inc({ kind, outcome: error === null ? 'done' : 'failed' });
    this.#items.inc({ kind }, items);
  }

  /** Counts how late a crawl of a list began: a multiple of its interval. */
  countLateness(kind: string, intervals: number): void {
    this.#lateness.observe({ kind }, intervals);
  }

  /** @param statement selects `application` and `value` */
  private registerApplicationGauge(
    registry: Registry,
    name: string,
    help: string,
    statement: Sql,
  ): void {
    sampledGauge(registry, { name, help, label: 'application' }, async () => {
      const rows = await this.database.many(applicationRow, statement);
      return Object.fromEntries(rows.map(({ application, value }) => [application, value]));
    });
  }

  private async measureLateness(): Promise<Record<string, number>> {
    const rows = await this.database.many(
      latenessRow,
      sql`
        WITH due AS (
          SELECT d.kind, d.due_at
          FROM due_crawls AS d JOIN applications AS a ON a.id = d.application_id
          WHERE d.kind <> 'registrations-by-name' AND d.due_at <> 'infinity' AND NOT a.is_paused
          UNION ALL
          -- A divided list is as late as its window that was crawled last.
          SELECT w.kind, max(w.due_at)
          FROM crawl_windows AS w JOIN applications AS a ON a.id = w.application_id
          WHERE NOT a.is_paused
          GROUP BY w.application_id, w.kind
          UNION ALL
          SELECT 'registrations-by-name', next.due_at
          FROM applications AS a CROSS JOIN LATERAL (
            SELECT due_at FROM due_registrations AS r
            WHERE r.application_id = a.id ORDER BY due_at LIMIT 1
          ) AS next
          WHERE NOT a.is_paused
        )
        SELECT kind, greatest(0, extract(epoch FROM now() - min(due_at)))::float AS seconds
        FROM due GROUP BY kind`,
    );
    return Object.fromEntries(rows.map(({ kind, seconds }) => [kind, seconds]));
  }
}
