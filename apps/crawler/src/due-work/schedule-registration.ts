import { HandleEvents, type PayloadOf } from '@registrar/bus';
import { registrationCreated, registrationLaunched } from '@registrar/contracts';
import { Database, sql, type Sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { lastStep } from './registration-schedule.ts';

/** Schedules crawls of registrations that were created or launched. */
@Injectable()
export class ScheduleRegistration {
  constructor(
    private readonly database: Database,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /** Schedules one crawl of each new registration, after the shortest interval. */
  @HandleEvents(registrationCreated)
  async scheduleAfterCreate(
    created: readonly PayloadOf<typeof registrationCreated>[],
  ): Promise<void> {
    const interval = this.settings.CRAWL_INTERVAL_SECONDS;
    await this.database.execute(sql`
      INSERT INTO due_registrations (application_id, registration_guid, due_at, step)
      SELECT application_id, registration_guid, now() + ${interval} * interval '1 s', ${lastStep}
      FROM (${registrationsOf(created)}) AS created
      ORDER BY application_id, registration_guid
      ON CONFLICT DO NOTHING`);
  }

  /**
   * Schedules crawls of launched registrations: after the shortest interval and then at growing
   * intervals. The crawl of changed registrations returns to the shortest interval as well.
   */
  @HandleEvents(registrationLaunched)
  async scheduleAfterLaunch(
    launched: readonly PayloadOf<typeof registrationLaunched>[],
  ): Promise<void> {
    const interval = this.settings.CRAWL_INTERVAL_SECONDS;
    const applicationIds = launched.map(({ applicationId }) => applicationId);
    await this.database.execute(sql`
      INSERT INTO due_registrations AS r (application_id, registration_guid, due_at, step)
      SELECT application_id, registration_guid, now() + ${interval} * interval '1 s', 0
      FROM (${registrationsOf(launched)}) AS launched
      ORDER BY application_id, registration_guid
      ON CONFLICT (application_id, registration_guid)
      DO UPDATE SET due_at = least(r.due_at, excluded.due_at), step = 0`);
    const soon = sql`now() + ${interval} * interval '1 s'`;
    // Only where it changes something, because launches of an application would wait for each other.
    await this.database.execute(sql`
      UPDATE due_crawls AS c
      SET due_at = least(c.due_at, ${soon}), interval_seconds = ${interval}
      FROM (
        SELECT application_id, kind FROM due_crawls
        WHERE application_id = ANY(${applicationIds}) AND kind = 'changed-registrations'
          AND failures = 0 AND (due_at > ${soon} OR interval_seconds <> ${interval})
        ORDER BY application_id
        FOR UPDATE
      ) AS later
      WHERE c.application_id = later.application_id AND c.kind = later.kind`);
  }
}

/** SQL of the registrations that events concern, each once. */
const registrationsOf = (
  events: readonly { applicationId: number; registrationGuid: string }[],
): Sql => sql`
  SELECT DISTINCT * FROM unnest(
    ${events.map(({ applicationId }) => applicationId)}::bigint[],
    ${events.map(({ registrationGuid }) => registrationGuid)}::text[]
  ) AS e (application_id, registration_guid)`;
