import { BusClient } from '#libs/bus';
import { listProviderApplications } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { coursesInterval } from '../due-work/crawl-interval.ts';
import { CrawlMetrics } from '../crawls/crawl-metrics.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';

/** The provider applications that there are to crawl: those of identity. */
@Injectable()
export class KnownApplications {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly metrics: CrawlMetrics,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /**
   * Asks identity for its provider applications. New ones are due at once; their first crawl of
   * what has changed sees everything, so the first sweep has time.
   */
  async refresh(): Promise<void> {
    const { applications } = await this.bus.request(listProviderApplications, {});
    await this.metrics.keepOnly(applications.map(({ id }) => id));
    const { CRAWL_INTERVAL_SECONDS: shortest, CRAWL_SWEEP_INTERVAL_SECONDS: sweep } = this.settings;
    await this.database.query(
      `WITH added AS (
         INSERT INTO applications (id, realm_id)
         SELECT given.id, given.realm_id
         FROM unnest($1::integer[], $2::integer[]) AS given (id, realm_id)
         WHERE NOT EXISTS (SELECT FROM applications AS a WHERE a.id = given.id)
         ORDER BY given.id
         ON CONFLICT DO NOTHING
         RETURNING id
       )
       INSERT INTO due_crawls (application_id, kind, due_at, interval_seconds)
       SELECT added.id, k.kind, k.due_at, k.interval_seconds
       FROM added CROSS JOIN (
         VALUES ('changed-registrations', now(), $3::integer),
                ('courses', now(), $4::integer),
                ('all-registrations', now() + $5::integer * interval '1 s', $5::integer),
                ('registrations-by-name', 'infinity'::timestamptz, $3::integer)
       ) AS k (kind, due_at, interval_seconds)`,
      [
        applications.map((application) => application.id),
        applications.map((application) => application.realmId),
        shortest,
        coursesInterval(shortest, sweep),
        sweep,
      ],
    );
  }
}
