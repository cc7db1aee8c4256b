import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { type ClaimedRegistration, claimedRegistration, type CrawlPolicy } from './claim.ts';
import { jitter } from './jitter.ts';
import { delayAfter, lastStep } from './registration-schedule.ts';

/**
 * The registrations to crawl by their GUIDs. Each has one row, which is deleted when its crawls are
 * left to the lists.
 */
@Injectable()
export class DueRegistrations {
  constructor(private readonly database: Database) {}

  /** Schedules one crawl of each registration as soon as possible. */
  async scheduleNow(applicationId: number, registrationGuids: readonly string[]): Promise<void> {
    await this.database.execute(sql`
      INSERT INTO due_registrations AS r (application_id, registration_guid, due_at, step)
      SELECT DISTINCT ${applicationId}::bigint, guid, now(), ${lastStep}::integer
      FROM unnest(${registrationGuids}::text[]) AS guid
      ORDER BY guid
      ON CONFLICT (application_id, registration_guid)
      DO UPDATE SET due_at = least(r.due_at, excluded.due_at)`);
  }

  /** Returns registrations that are due, the longest overdue first. Changes nothing. */
  findDue(applicationId: number, limit: number): Promise<ClaimedRegistration[]> {
    return this.database.many(
      claimedRegistration,
      sql`
        SELECT registration_guid AS "registrationGuid", step, due_at::text AS "dueAt"
        FROM due_registrations
        WHERE application_id = ${applicationId} AND due_at <= now()
        ORDER BY due_at, registration_guid
        LIMIT ${limit}`,
    );
  }

  /**
   * Schedules the next crawl of registrations that were crawled by their GUIDs, or deletes them. A
   * row that a launch has changed since its claim stays as it is.
   */
  async reschedule(
    applicationId: number,
    crawled: readonly (ClaimedRegistration & { readonly complete: boolean })[],
    { intervalSeconds }: CrawlPolicy,
  ): Promise<void> {
    const guids = crawled.map((each) => each.registrationGuid);
    const dueTimes = crawled.map((each) => each.dueAt);
    const steps = crawled.map((each) => each.step);
    const delays = crawled.map(({ step, complete }) =>
      complete ? null : delayAfter(step + 1, intervalSeconds),
    );
    await this.database.execute(sql`
      WITH crawled AS (
        SELECT r.registration_guid, c.delay
        FROM unnest(${guids}::text[], ${dueTimes}::timestamptz[], ${steps}::integer[],
                    ${delays}::float8[])
          AS c (registration_guid, due_at, step, delay)
        JOIN due_registrations AS r USING (registration_guid, due_at, step)
        WHERE r.application_id = ${applicationId}
        ORDER BY r.registration_guid
        FOR UPDATE OF r
      ), deleted AS (
        DELETE FROM due_registrations AS r USING crawled AS c
        WHERE r.application_id = ${applicationId} AND r.registration_guid = c.registration_guid
          AND c.delay IS NULL
      )
      UPDATE due_registrations AS r
      SET step = r.step + 1, due_at = now() + c.delay * ${jitter} * interval '1 s'
      FROM crawled AS c
      WHERE r.application_id = ${applicationId} AND r.registration_guid = c.registration_guid
        AND c.delay IS NOT NULL`);
  }

  /**
   * Applies what a list has shown: deletes the rows of complete registrations and postpones the
   * others by the shortest interval. A registration that has become due since the list was requested
   * stays due, because it may have changed since. It may have become due after this transaction began.
   */
  async postpone(
    applicationId: number,
    listed: readonly { readonly registrationGuid: string; readonly complete: boolean }[],
    { intervalSeconds }: CrawlPolicy,
    requestedAt: Date,
  ): Promise<void> {
    const guids = listed.map((each) => each.registrationGuid);
    const completions = listed.map((each) => each.complete);
    await this.database.execute(sql`
      WITH listed AS (
        SELECT r.registration_guid, l.complete
        FROM unnest(${guids}::text[], ${completions}::boolean[]) AS l (registration_guid, complete)
        JOIN due_registrations AS r USING (registration_guid)
        WHERE r.application_id = ${applicationId}
          AND (r.due_at <= ${requestedAt} OR r.due_at > clock_timestamp())
        ORDER BY r.registration_guid
        FOR UPDATE OF r
      ), deleted AS (
        DELETE FROM due_registrations AS r USING listed AS l
        WHERE r.application_id = ${applicationId} AND r.registration_guid = l.registration_guid
          AND l.complete
      )
      UPDATE due_registrations AS r
      SET due_at = greatest(r.due_at, now() + ${intervalSeconds} * interval '1 s')
      FROM listed AS l
      WHERE r.application_id = ${applicationId} AND r.registration_guid = l.registration_guid
        AND NOT l.complete`);
  }
}
