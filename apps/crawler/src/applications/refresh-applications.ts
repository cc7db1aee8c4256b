import { BusClient } from '@registrar/bus';
import { listProviderApplications } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { coursesInterval, sweepIntervalSeconds } from '../due-work/crawl-interval.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';

/** Copies the provider applications of the identity context, so that they are crawled. */
@Injectable()
export class RefreshApplications {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /**
   * Adds new provider applications, pauses those of disabled realms, and continues with those of
   * realms that were enabled again. Their crawls of changed registrations and of courses are due at
   * once. The first crawl of changed registrations reads all of them, so the first sweep is due
   * only after its interval.
   */
  @PeriodicTask({ name: 'refresh provider applications', everyMs: 5 * 60_000, timeoutMs: 30_000 })
  async refresh(): Promise<void> {
    const { applications } = await this.bus.request(listProviderApplications, {});
    const ids = applications.map(({ id }) => id);
    const realmIds = applications.map(({ realmId }) => realmId);
    const paused = applications.filter(({ isPaused }) => isPaused).map(({ id }) => id);
    const { CRAWL_INTERVAL_SECONDS: shortest } = this.settings;
    await this.database.execute(sql`
      WITH added AS (
        INSERT INTO applications (id, realm_id)
        SELECT given.id, given.realm_id
        FROM unnest(${ids}::bigint[], ${realmIds}::bigint[]) AS given (id, realm_id)
        WHERE NOT EXISTS (SELECT FROM applications AS a WHERE a.id = given.id)
        ORDER BY given.id
        ON CONFLICT DO NOTHING
        RETURNING id
      )
      INSERT INTO due_crawls (application_id, kind, due_at, interval_seconds)
      SELECT added.id, k.kind, k.due_at, k.interval_seconds
      FROM added CROSS JOIN (
        VALUES ('changed-registrations', now(), ${shortest}::integer),
               ('courses', now(), ${coursesInterval(shortest)}::integer),
               ('all-registrations', now() + ${sweepIntervalSeconds}::integer * interval '1 s',
                ${sweepIntervalSeconds}::integer),
               ('registrations-by-name', 'infinity'::timestamptz, ${shortest}::integer)
      ) AS k (kind, due_at, interval_seconds)`);
    await this.pause(paused);
  }

  private async pause(pausedIds: readonly number[]): Promise<void> {
    // What became due during a pause is due now, so that it does not count as late.
    await this.database.execute(sql`
      WITH changed AS (
        UPDATE applications SET is_paused = NOT is_paused
        WHERE is_paused <> (is_paused_by_operator OR id = ANY (${pausedIds}::bigint[]))
        RETURNING id, is_paused
      ), crawls AS (
        UPDATE due_crawls AS d SET due_at = now() FROM changed
        WHERE d.application_id = changed.id AND NOT changed.is_paused AND d.due_at < now()
      ), windows AS (
        UPDATE crawl_windows AS w SET due_at = now() FROM changed
        WHERE w.application_id = changed.id AND NOT changed.is_paused AND w.due_at < now()
      )
      UPDATE due_registrations AS r SET due_at = now() FROM changed
      WHERE r.application_id = changed.id AND NOT changed.is_paused AND r.due_at < now()`);
  }
}
