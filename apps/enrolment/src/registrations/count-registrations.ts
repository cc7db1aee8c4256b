import { HandleEvent, Outbox, type PayloadOf } from '@registrar/bus';
import { registrationsCounted, registrationsSwept } from '@registrar/contracts';
import { customPlan, Database, raw, sql, type Sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { createdOn, isCounted } from './counted-registrations.ts';

/** For how long the changes of a provider application are gathered before they are added. */
const gathered = sql`interval '1 second'`;

/** The most provider applications and the most changes of one round. */
const applicationLimit = 20;
const changeLimit = 20_000;

/** The most courses of one event (libs/contracts). */
const maxCounts = 500;

type Sweep = PayloadOf<typeof registrationsSwept>;

const applicationRow = z.object({ applicationId: z.number() });

const countRow = z.object({
  applicationId: z.number(),
  courseGuid: z.string(),
  registrations: z.number(),
  version: z.number(),
});
type Count = z.infer<typeof countRow>;

const countColumns = sql`
  c.provider_application_id AS "applicationId", c.course_guid AS "courseGuid", c.registrations,
  c.version`;

/** SQL of the version of a count, and of one that replaces `registration_counts AS c`. */
const version = sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
const nextVersion = sql`greatest(excluded.version, c.version + 1)`;

/** SQL of the key of the advisory lock on the counts of a provider application. */
const lockKey = (applicationId: Sql): Sql =>
  sql`hashtextextended('registration counts ' || ${applicationId}::text, 0)`;

/**
 * Counts the registrations of each course that are neither inactive nor deleted, by the days on which they were created
 * too, and publishes the numbers for the catalog (contract/courses#registration-count). Triggers note by how much a statement
 * changes a number; a round adds up what a second has brought. So no write waits for another, and the
 * cost does not depend on the size of the course.
 */
@Controller()
export class CountRegistrations {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Adds the changes of a second, and returns whether there may be more. */
  @PeriodicTask({ name: 'count registrations', everyMs: 500, restMs: 10_000, timeoutMs: 30_000 })
  async countChanged(): Promise<boolean> {
    return this.database.transaction(async () => {
      const applicationIds = await this.claimChanged();
      if (applicationIds.length === 0) return false;
      await this.publish(await this.addChanges(applicationIds));
      return true;
    });
  }

  /**
   * Counts all registrations of a provider application after a full sweep, and publishes all numbers:
   * so one that was lost here or in the catalog comes back.
   */
  @HandleEvent(registrationsSwept)
  async recount({ applicationId }: Pick<Sweep, 'applicationId'>): Promise<void> {
    await this.database.transaction(async () => {
      // A round that runs would add changes that the statement does not see.
      await this.database.execute(
        sql`SELECT pg_advisory_xact_lock(${lockKey(sql`${applicationId}`)})`,
      );
      const counts = await this.database.many(
        countRow,
        sql`WITH noted AS (
              DELETE FROM registration_count_changes
              WHERE provider_application_id = ${applicationId}
            ), created AS (
              SELECT course_guid, ${raw(createdOn('registrations'))} AS day, count(*) AS registrations
              FROM registrations
              WHERE provider_application_id = ${applicationId} AND ${raw(isCounted('registrations'))}
              GROUP BY course_guid, day
            ), emptied_days AS (
              DELETE FROM registration_day_counts AS d
              WHERE d.provider_application_id = ${applicationId} AND NOT EXISTS (
                SELECT FROM created WHERE course_guid = d.course_guid AND day = d.created_on
              )
            ), counted_days AS (
              INSERT INTO registration_day_counts AS d
                (provider_application_id, course_guid, created_on, registrations)
              SELECT ${applicationId}, course_guid, day, registrations FROM created
              ON CONFLICT (provider_application_id, course_guid, created_on) DO UPDATE
              SET registrations = excluded.registrations
              WHERE d.registrations <> excluded.registrations
            ), counted AS (
              SELECT course_guid, sum(registrations) AS registrations FROM created
              GROUP BY course_guid
              UNION ALL
              SELECT course_guid, 0 FROM registration_counts
              WHERE provider_application_id = ${applicationId}
            )
            INSERT INTO registration_counts AS c
              (provider_application_id, course_guid, registrations, version)
            SELECT ${applicationId}, course_guid, sum(registrations), ${version}
            FROM counted GROUP BY course_guid
            ON CONFLICT (provider_application_id, course_guid) DO UPDATE
            SET registrations = excluded.registrations, version = ${nextVersion}
            RETURNING ${countColumns} ${customPlan}`,
      );
      await this.publish(counts);
    });
  }

  /** Claims provider applications with changes that are a second old, until the transaction ends. */
  private async claimChanged(): Promise<number[]> {
    const rows = await this.database.many(
      applicationRow,
      sql`SELECT due.id AS "applicationId"
          FROM (
            SELECT DISTINCT provider_application_id AS id FROM registration_count_changes
            WHERE changed_at <= now() - ${gathered}
            LIMIT ${applicationLimit}
          ) AS due
          WHERE pg_try_advisory_xact_lock(${lockKey(sql`due.id`)})`,
    );
    return rows.map(({ applicationId }) => applicationId);
  }

  private addChanges(applicationIds: readonly number[]): Promise<Count[]> {
    return this.database.many(
      countRow,
      sql`WITH taken AS (
            DELETE FROM registration_count_changes
            WHERE provider_application_id = ANY(${applicationIds}) AND id = ANY (ARRAY(
              SELECT id FROM registration_count_changes
              WHERE provider_application_id = ANY(${applicationIds})
              ORDER BY id
              LIMIT ${changeLimit}
            ))
            RETURNING provider_application_id, course_guid, created_on, change
          ), days AS (
            INSERT INTO registration_day_counts AS d
              (provider_application_id, course_guid, created_on, registrations)
            SELECT provider_application_id, course_guid, created_on, sum(change)
            FROM taken GROUP BY provider_application_id, course_guid, created_on
            HAVING sum(change) <> 0
            ON CONFLICT (provider_application_id, course_guid, created_on) DO UPDATE
            SET registrations = d.registrations + excluded.registrations
          )
          INSERT INTO registration_counts AS c
            (provider_application_id, course_guid, registrations, version)
          SELECT provider_application_id, course_guid, sum(change), ${version}
          FROM taken GROUP BY provider_application_id, course_guid HAVING sum(change) <> 0
          ON CONFLICT (provider_application_id, course_guid) DO UPDATE
          SET registrations = c.registrations + excluded.registrations, version = ${nextVersion}
          RETURNING ${countColumns}`,
    );
  }

  private async publish(counts: readonly Count[]): Promise<void> {
    const payloads = [...Map.groupBy(counts, (count) => count.applicationId)].flatMap(
      ([applicationId, ofApplication]) =>
        chunksOf(ofApplication).map((chunk) => ({
          applicationId,
          counts: chunk.map(({ applicationId: _, ...count }) => count),
        })),
    );
    await this.outbox.publishAll(registrationsCounted, payloads);
  }
}

function chunksOf(counts: readonly Count[]): Count[][] {
  const chunks: Count[][] = [];
  for (let start = 0; start < counts.length; start += maxCounts) {
    chunks.push(counts.slice(start, start + maxCounts));
  }
  return chunks;
}
