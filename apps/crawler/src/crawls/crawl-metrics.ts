import { Database } from '#libs/persistence';
import { sampledGauge } from '#libs/platform';
import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { type EndedCrawl } from './crawl-history.ts';

/** Counts crawls, and shows how far they are behind. */
@Injectable()
export class CrawlMetrics {
  readonly #ended: Counter<'application' | 'kind' | 'outcome'>;

  constructor(
    registry: Registry,
    private readonly database: Database,
  ) {
    this.#ended = new Counter({
      name: 'registrar_crawls_total',
      help: 'Crawls that have ended, by provider application, kind and outcome.',
      labelNames: ['application', 'kind', 'outcome'],
      registers: [registry],
    });
    sampledGauge(
      registry,
      {
        name: 'registrar_crawl_lateness_seconds',
        help: 'How long the crawl that is most overdue should have been begun.',
        label: 'kind',
      },
      () => this.lateness(),
    );
  }

  ended({ applicationId: application, kind, error }: EndedCrawl): void {
    this.#ended.inc({ application, kind, outcome: error === null ? 'done' : 'failed' });
  }

  /** Forgets the crawls of all other provider applications: they are gone. */
  async keepOnly(applicationIds: readonly number[]): Promise<void> {
    const kept = new Set<string | number | undefined>(applicationIds);
    const { values } = await this.#ended.get();
    for (const { labels } of values) {
      if (!kept.has(labels.application)) this.#ended.remove(labels);
    }
  }

  private async lateness(): Promise<Record<string, number>> {
    const rows = await this.database.query<{ kind: string; seconds: number }>(
      `WITH due AS (
         SELECT kind, due_at FROM due_crawls WHERE kind <> 'registrations-by-name'
         UNION ALL
         SELECT 'registrations-by-name', next.due_at
         FROM applications AS a CROSS JOIN LATERAL (
           SELECT due_at FROM due_registrations AS r
           WHERE r.application_id = a.id ORDER BY due_at LIMIT 1
         ) AS next
       )
       SELECT kind, greatest(0, extract(epoch FROM now() - min(due_at)))::float AS seconds
       FROM due GROUP BY kind`,
    );
    return Object.fromEntries(rows.map(({ kind, seconds }) => [kind, seconds]));
  }
}
