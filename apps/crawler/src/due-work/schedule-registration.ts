import { type EventsOf, HandleEvents } from '@registrar/bus';
import { registrationCreated, registrationLaunched } from '@registrar/contracts';
import { sql, type Sql } from '@registrar/persistence';
import { Inject, Controller } from '@nestjs/common';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { jitter } from './jitter.ts';
import { lastStep } from './registration-schedule.ts';

/** Schedules crawls of registrations that were created or launched. */
@Controller()
export class ScheduleRegistration {
  constructor(@Inject(crawlSettingsToken) private readonly settings: CrawlSettings) {}

  /** Schedules one crawl of each new registration, after the shortest interval. */
  @HandleEvents(registrationCreated)
  async scheduleAfterCreate(created: EventsOf<typeof registrationCreated>): Promise<void> {
    await created.apply(sql`
      INSERT INTO due_registrations (application_id, registration_guid, due_at, step)
      SELECT application_id, registration_guid, now() + ${this.shortestInterval()} * ${jitter}, ${lastStep}
      FROM (${registrations}) AS created
      ORDER BY application_id, registration_guid
      ON CONFLICT DO NOTHING`);
  }

  /**
   * Schedules crawls of launched registrations: after the shortest interval and then at growing
   * intervals. The crawl of changed registrations returns to the shortest interval as well.
   */
  @HandleEvents(registrationLaunched)
  async scheduleAfterLaunch(launched: EventsOf<typeof registrationLaunched>): Promise<void> {
    const registrationsAreDue = sql`
      INSERT INTO due_registrations AS r (application_id, registration_guid, due_at, step)
      SELECT application_id, registration_guid, now() + ${this.shortestInterval()} * ${jitter}, 0
      FROM (${registrations}) AS launched
      ORDER BY application_id, registration_guid
      ON CONFLICT (application_id, registration_guid)
      DO UPDATE SET due_at = least(r.due_at, excluded.due_at), step = 0`;
    // Only where it changes something, because launches of an application would wait for each other.
    const changesAreDue = sql`
      UPDATE due_crawls AS c
      SET due_at = least(c.due_at, now() + later.shortest),
          interval_seconds = extract(epoch FROM later.shortest)::integer
      FROM (
        SELECT d.application_id, d.kind, i.shortest
        FROM due_crawls AS d CROSS JOIN LATERAL (SELECT ${this.shortestInterval()} AS shortest) AS i
        WHERE d.application_id IN (SELECT application_id FROM (${registrations}) AS launched)
          AND d.kind = 'changed-registrations'
          AND d.failures = 0 AND d.due_at <> 'infinity' AND (
            d.due_at > now() + i.shortest
            OR d.interval_seconds <> extract(epoch FROM i.shortest)::integer
          )
        ORDER BY d.application_id
        FOR UPDATE OF d
      ) AS later
      WHERE c.application_id = later.application_id AND c.kind = later.kind`;
    await launched.apply(registrationsAreDue, changesAreDue);
  }

  /** SQL of the shortest interval of crawls of the column `application_id`. */
  private shortestInterval(): Sql {
    return sql`
      coalesce(
        (SELECT a.interval_seconds FROM applications AS a WHERE a.id = application_id),
        ${this.settings.CRAWL_INTERVAL_SECONDS}
      ) * interval '1 s'`;
  }
}

/** SQL of the registrations that the query `events` concerns, each once. */
const registrations = sql`
  SELECT DISTINCT (payload -> 'applicationId')::bigint AS application_id,
                  payload ->> 'registrationGuid' AS registration_guid
  FROM events`;
