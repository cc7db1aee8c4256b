import { type ProviderCourse } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';

/** How long an import may take and still get the title and custom text of its create. */
const retentionDays = 7;

const pendingRow = z.object({
  courseGuid: z.string(),
  title: z.string().nullable(),
  custom: z.string().nullable(),
});
/** The title and custom text of a course create; null keeps the stored value. */
export type CourseOverrides = Readonly<Omit<z.infer<typeof pendingRow>, 'courseGuid'>>;

/**
 * The title and custom text of course creates whose package is being imported. If the import
 * outlasts its create, the crawl that finds the course applies them.
 */
@Injectable()
export class PendingCreates {
  constructor(private readonly database: Database) {}

  async save(applicationId: number, courseGuid: string, overrides: CourseOverrides): Promise<void> {
    const { title, custom } = overrides;
    if (title === null && custom === null) return;
    await this.database.execute(sql`
      INSERT INTO pending_creates AS p (provider_application_id, course_guid, title, custom)
      VALUES (${applicationId}, ${courseGuid}, ${title}, ${custom})
      ON CONFLICT (provider_application_id, course_guid) DO UPDATE
      SET title = coalesce(excluded.title, p.title),
          custom = coalesce(excluded.custom, p.custom), created_at = now()`);
  }

  /** Deletes the entry of a create whose package the provider has refused. */
  async delete(applicationId: number, courseGuid: string): Promise<void> {
    await this.database.execute(sql`
      DELETE FROM pending_creates
      WHERE provider_application_id = ${applicationId} AND course_guid = ${courseGuid}`);
  }

  /**
   * Deletes the entries of the courses and returns them by GUID, in the transaction that upserts
   * the courses. A crawl, which has a sequence, takes an entry only if its answer counts and shows
   * the result of the import: a course that is new, or a newer version of a course.
   */
  async take(
    applicationId: number,
    { sequence, at }: { readonly sequence: number | null; readonly at: string },
    courses: readonly ProviderCourse[],
  ): Promise<Map<string, CourseOverrides>> {
    const guids = courses.map((course) => course.courseGuid);
    const versions = courses.map((course) => course.version);
    const isImported =
      sequence === null
        ? sql`true`
        : sql`CASE
            WHEN known.id IS NULL THEN NOT EXISTS (
              SELECT FROM sweeps
              WHERE provider_application_id = ${applicationId} AND sequence > ${sequence}
            )
            ELSE known.sequence < ${sequence} AND known.confirmed_at <= ${at}
              AND (known.deleted OR crawled.versions > known.versions)
          END`;
    const rows = await this.database.many(
      pendingRow,
      sql`
        WITH taken AS (
          SELECT p.course_guid
          FROM pending_creates AS p
          JOIN unnest(${guids}::text[], ${versions}::bigint[]) AS crawled (course_guid, versions)
            USING (course_guid)
          LEFT JOIN courses AS known
            ON known.provider_application_id = ${applicationId}
            AND known.course_guid = p.course_guid
          WHERE p.provider_application_id = ${applicationId} AND ${isImported}
          ORDER BY p.course_guid -- one order for all
          FOR UPDATE OF p
        )
        DELETE FROM pending_creates AS p USING taken
        WHERE p.provider_application_id = ${applicationId} AND p.course_guid = taken.course_guid
        RETURNING p.course_guid AS "courseGuid", p.title, p.custom`,
    );
    return new Map(rows.map(({ courseGuid, title, custom }) => [courseGuid, { title, custom }]));
  }

  /** Deletes, for all provider applications, the entries whose course never appeared. */
  @PeriodicTask({ name: 'prune pending creates', everyMs: 10 * 60_000, timeoutMs: 60_000 })
  async prune(): Promise<void> {
    await this.database.execute(sql`
      DELETE FROM pending_creates
      WHERE created_at < now() - ${retentionDays} * interval '1 day'`);
  }
}
