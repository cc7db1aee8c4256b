import { type ProviderCourse } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** What a create gives a course beside what its provider tells of it; null leaves what is stored. */
export interface GivenCourse {
  readonly title: string | null;
  readonly custom: string | null;
}

/** How long an import may last that is to end in the course that its create wanted. */
const keptFor = '7 days';

/**
 * What creates wanted whose package is on its way to a provider. A create that does not live to
 * see the end of the import is completed by the crawl that finds the course.
 */
@Injectable()
export class PendingCreates {
  constructor(private readonly database: Database) {}

  async keep(applicationId: number, courseGuid: string, given: GivenCourse): Promise<void> {
    if (given.title === null && given.custom === null) return;
    await this.database.query(
      `INSERT INTO pending_creates AS p (provider_application_id, course_guid, title, custom)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (provider_application_id, course_guid) DO UPDATE
       SET title = coalesce(excluded.title, p.title),
           custom = coalesce(excluded.custom, p.custom), created_at = now()`,
      [applicationId, courseGuid, given.title, given.custom],
    );
  }

  /** For a create whose package the provider has refused. */
  async drop(applicationId: number, courseGuid: string): Promise<void> {
    await this.database.query(
      'DELETE FROM pending_creates WHERE provider_application_id = $1 AND course_guid = $2',
      [applicationId, courseGuid],
    );
  }

  /**
   * Takes, within the transaction that keeps the courses, what was wanted for them; by GUID. A
   * crawl, which has a sequence, takes it only when its answer counts, and shows what the import
   * made: a course that was not there, or a newer version of it.
   */
  async take(
    applicationId: number,
    asked: { readonly sequence: number | null; readonly at: string },
    courses: readonly ProviderCourse[],
  ): Promise<Map<string, GivenCourse>> {
    const rows = await this.database.query<GivenCourse & { courseGuid: string }>(
      `WITH taken AS (
         SELECT p.course_guid
         FROM pending_creates AS p
         JOIN unnest($4::text[], $5::bigint[]) AS told (course_guid, versions) USING (course_guid)
         LEFT JOIN courses AS known
           ON known.provider_application_id = $1 AND known.course_guid = p.course_guid
         WHERE p.provider_application_id = $1 AND (
           $2::bigint IS NULL OR CASE
             WHEN known.id IS NULL THEN NOT EXISTS (
               SELECT FROM sweeps WHERE provider_application_id = $1 AND sequence > $2
             )
             ELSE known.sequence < $2 AND known.confirmed_at <= $3
               AND (known.deleted OR told.versions > known.versions)
           END
         )
         ORDER BY p.course_guid -- one order for all
         FOR UPDATE OF p
       )
       DELETE FROM pending_creates AS p USING taken
       WHERE p.provider_application_id = $1 AND p.course_guid = taken.course_guid
       RETURNING p.course_guid AS "courseGuid", p.title, p.custom`,
      [
        applicationId,
        asked.sequence,
        asked.at,
        courses.map((course) => course.courseGuid),
        courses.map((course) => course.version),
      ],
    );
    return new Map(rows.map(({ courseGuid, title, custom }) => [courseGuid, { title, custom }]));
  }

  /** Forgets, of all provider applications, the creates whose course never came. */
  async forgetOld(): Promise<void> {
    await this.database.query(
      `DELETE FROM pending_creates WHERE created_at < now() - interval '${keptFor}'`,
    );
  }
}
