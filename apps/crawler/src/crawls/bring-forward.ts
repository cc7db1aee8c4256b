import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { bringForward } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { lastStep } from '../due-work/registration-schedule.ts';
import { CrawlLoop } from './crawl-loop.ts';

/**
 * While an application has this many registrations to crawl by their GUIDs, the list of changed
 * registrations is crawled instead of one more: it has all of them in a few calls. Requests that are
 * handled at the same time may exceed the limit by their number.
 */
const maxDue = 1_000;

const applicationRow = z.object({
  /** When the last claim of registrations by name began; null if no claim is being performed. */
  claimedAt: z.string().nullable(),
  /** Whether a list of registrations, or a window of one, is being read. */
  isListed: z.boolean(),
  isFull: z.boolean(),
});

/** Crawls a registration at once, because its provider reported a change. */
@Controller()
export class BringForward {
  constructor(
    private readonly database: Database,
    private readonly crawlLoop: CrawlLoop,
  ) {}

  /** Changes nothing for a registration that is due and not being crawled, or while its application is unknown or paused. */
  @HandleRequest(bringForward)
  async bringForward({
    applicationId,
    registrationGuid,
  }: InputOf<typeof bringForward>): Promise<ReplyOf<typeof bringForward>> {
    const application = await this.database.maybeOne(
      applicationRow,
      sql`
        SELECT CASE WHEN a.lease_until > clock_timestamp() THEN d.last_served_at::text END
                 AS "claimedAt",
               (
                 a.lease_until > clock_timestamp() AND EXISTS (
                   SELECT FROM due_crawls AS l
                   WHERE l.application_id = a.id AND l.last_served_at > d.last_served_at
                     AND l.kind IN ('changed-registrations', 'all-registrations')
                 )
               ) OR EXISTS (
                 SELECT FROM crawl_windows AS w
                 WHERE w.application_id = a.id AND w.lease_until > clock_timestamp()
               ) AS "isListed",
               (
                 SELECT count(*) FROM (
                   SELECT FROM due_registrations
                   WHERE application_id = ${applicationId} AND due_at <= now()
                   LIMIT ${maxDue}
                 ) AS due
               ) >= ${maxDue} AS "isFull"
        FROM applications AS a
        JOIN due_crawls AS d ON d.application_id = a.id AND d.kind = 'registrations-by-name'
        WHERE a.id = ${applicationId} AND NOT a.is_paused`,
    );
    if (!application) return {};
    const changed = application.isFull
      ? await this.makeListDue(applicationId)
      : await this.makeRegistrationDue(applicationId, registrationGuid, application);
    if (changed > 0) this.crawlLoop.wake();
    return {};
  }

  /**
   * A registration that may be in the claim that is being performed is crawled once more, because the
   * provider may have been called before the change: another due time keeps its row. A list that is being read
   * postpones what was due when it was requested, so the registration becomes due anew.
   */
  private makeRegistrationDue(
    applicationId: number,
    registrationGuid: string,
    { claimedAt, isListed }: z.output<typeof applicationRow>,
  ): Promise<number> {
    return this.database.execute(sql`
      INSERT INTO due_registrations AS r (application_id, registration_guid, due_at, step)
      VALUES (${applicationId}, ${registrationGuid}, now(), ${lastStep})
      ON CONFLICT (application_id, registration_guid) DO UPDATE
      SET due_at = CASE WHEN ${isListed} THEN excluded.due_at
                        ELSE least(r.due_at + interval '1 microsecond', excluded.due_at) END
      WHERE ${isListed} OR r.due_at > excluded.due_at OR r.due_at <= ${claimedAt}::timestamptz`);
  }

  /** Leaves a list that is being retried after a failure, or that is being crawled in windows, as it is. */
  private makeListDue(applicationId: number): Promise<number> {
    return this.database.execute(sql`
      UPDATE due_crawls SET due_at = now()
      WHERE application_id = ${applicationId} AND kind = 'changed-registrations'
        AND due_at > now() AND due_at <> 'infinity' AND failures = 0`);
  }
}
