import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { type DueRegistration } from './claim.ts';
import { delayAfter, lastStep } from './registration-schedule.ts';

/** Registrations that are to be crawled by name: one row for each, until it can be left alone. */
@Injectable()
export class DueRegistrations {
  constructor(
    private readonly database: Database,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /** Crawls a new registration once, after the shortest interval. */
  async created(applicationId: number, registrationGuid: string): Promise<void> {
    await this.database.query(
      `INSERT INTO due_registrations (application_id, registration_guid, due_at, step)
       VALUES ($1, $2, now() + $3 * interval '1 s', $4)
       ON CONFLICT DO NOTHING`,
      [applicationId, registrationGuid, this.settings.CRAWL_INTERVAL_SECONDS, lastStep],
    );
  }

  /** Crawls a launched registration after the shortest interval, and then ever more rarely. */
  async launched(applicationId: number, registrationGuid: string): Promise<void> {
    await this.database.query(
      `INSERT INTO due_registrations AS r (application_id, registration_guid, due_at, step)
       VALUES ($1, $2, now() + $3 * interval '1 s', 0)
       ON CONFLICT (application_id, registration_guid)
       DO UPDATE SET due_at = least(r.due_at, excluded.due_at), step = 0`,
      [applicationId, registrationGuid, this.settings.CRAWL_INTERVAL_SECONDS],
    );
  }

  /** Crawls registrations as soon as possible, once. */
  async soon(applicationId: number, registrationGuids: readonly string[]): Promise<void> {
    await this.database.query(
      `INSERT INTO due_registrations AS r (application_id, registration_guid, due_at, step)
       SELECT DISTINCT $1::integer, guid, now(), $3::integer FROM unnest($2::text[]) AS guid
       ORDER BY guid
       ON CONFLICT (application_id, registration_guid)
       DO UPDATE SET due_at = least(r.due_at, excluded.due_at)`,
      [applicationId, registrationGuids, lastStep],
    );
  }

  /** Those that are due, the longest due first. They stay as they are. */
  next(applicationId: number, limit: number): Promise<DueRegistration[]> {
    return this.database.query<DueRegistration>(
      `SELECT registration_guid AS "registrationGuid", step, due_at::text AS "dueAt"
       FROM due_registrations
       WHERE application_id = $1 AND due_at <= now()
       ORDER BY due_at, registration_guid
       LIMIT $2`,
      [applicationId, limit],
    );
  }

  /** Notes that registrations had their turn. One that was launched meanwhile keeps its row. */
  async crawled(
    applicationId: number,
    turns: readonly (DueRegistration & { readonly complete: boolean })[],
  ): Promise<void> {
    const delays = turns.map(({ step, complete }) =>
      complete ? null : delayAfter(step + 1, this.settings.CRAWL_INTERVAL_SECONDS),
    );
    await this.database.query(
      `WITH turns AS (
         SELECT r.registration_guid, t.delay
         FROM unnest($2::text[], $3::timestamptz[], $4::integer[], $5::float8[])
           AS t (registration_guid, due_at, step, delay)
         JOIN due_registrations AS r USING (registration_guid, due_at, step)
         WHERE r.application_id = $1
         ORDER BY r.registration_guid
         FOR UPDATE OF r
       ), left_alone AS (
         DELETE FROM due_registrations AS r USING turns AS t
         WHERE r.application_id = $1 AND r.registration_guid = t.registration_guid
           AND t.delay IS NULL
       )
       UPDATE due_registrations AS r
       SET step = r.step + 1, due_at = now() + t.delay * interval '1 s'
       FROM turns AS t
       WHERE r.application_id = $1 AND r.registration_guid = t.registration_guid
         AND t.delay IS NOT NULL`,
      [
        applicationId,
        turns.map((turn) => turn.registrationGuid),
        turns.map((turn) => turn.dueAt),
        turns.map((turn) => turn.step),
        delays,
      ],
    );
  }

  /** Notes what a list has told: complete ones can be left alone, the others wait a while. */
  async seen(
    applicationId: number,
    registrations: readonly { readonly registrationGuid: string; readonly complete: boolean }[],
  ): Promise<void> {
    await this.database.query(
      `WITH seen AS (
         SELECT r.registration_guid, s.complete
         FROM unnest($2::text[], $3::boolean[]) AS s (registration_guid, complete)
         JOIN due_registrations AS r USING (registration_guid)
         WHERE r.application_id = $1
         ORDER BY r.registration_guid
         FOR UPDATE OF r
       ), left_alone AS (
         DELETE FROM due_registrations AS r USING seen AS s
         WHERE r.application_id = $1 AND r.registration_guid = s.registration_guid
           AND s.complete
       )
       UPDATE due_registrations AS r
       SET due_at = greatest(r.due_at, now() + $4 * interval '1 s')
       FROM seen AS s
       WHERE r.application_id = $1 AND r.registration_guid = s.registration_guid
         AND NOT s.complete`,
      [
        applicationId,
        registrations.map((each) => each.registrationGuid),
        registrations.map((each) => each.complete),
        this.settings.CRAWL_INTERVAL_SECONDS,
      ],
    );
  }
}
