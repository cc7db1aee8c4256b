import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { registrationCreated, registrationLaunched } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { lastStep } from './registration-schedule.ts';

/** Schedules crawls of a registration that was created or launched. */
@Injectable()
export class ScheduleRegistration {
  constructor(
    private readonly database: Database,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /** Schedules one crawl of a new registration, after the shortest interval. */
  @HandleEvent(registrationCreated)
  async scheduleAfterCreate({
    applicationId,
    registrationGuid,
  }: PayloadOf<typeof registrationCreated>): Promise<void> {
    const interval = this.settings.CRAWL_INTERVAL_SECONDS;
    await this.database.execute(sql`
      INSERT INTO due_registrations (application_id, registration_guid, due_at, step)
      VALUES (${applicationId}, ${registrationGuid}, now() + ${interval} * interval '1 s',
              ${lastStep})
      ON CONFLICT DO NOTHING`);
  }

  /**
   * Schedules crawls of a launched registration: after the shortest interval and then at growing
   * intervals. The crawl of changed registrations returns to the shortest interval as well.
   */
  @HandleEvent(registrationLaunched)
  async scheduleAfterLaunch({
    applicationId,
    registrationGuid,
  }: PayloadOf<typeof registrationLaunched>): Promise<void> {
    const interval = this.settings.CRAWL_INTERVAL_SECONDS;
    await this.database.execute(sql`
      INSERT INTO due_registrations AS r (application_id, registration_guid, due_at, step)
      VALUES (${applicationId}, ${registrationGuid}, now() + ${interval} * interval '1 s', 0)
      ON CONFLICT (application_id, registration_guid)
      DO UPDATE SET due_at = least(r.due_at, excluded.due_at), step = 0`);
    await this.database.execute(sql`
      UPDATE due_crawls
      SET due_at = least(due_at, now() + ${interval}::integer * interval '1 s'),
          interval_seconds = ${interval}
      WHERE application_id = ${applicationId} AND kind = 'changed-registrations'
        AND failures = 0`);
  }
}
