import { Outbox, type PayloadOf } from '#libs/bus';
import { type coursesSwept } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { type ChangedCourse, publishChanges } from './publish-changes.ts';

/** Marks the courses that a provider does not hold any more as deleted. */
@Injectable()
export class SweepCourses {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
   * A whole list of courses was read: what is not in it, was not seen by a newer crawl and was not
   * created since the reading began, is gone. What was gone before is noted as missed again, so that
   * no crawl from before this sweep brings it back.
   */
  async run(sweep: PayloadOf<typeof coursesSwept>): Promise<void> {
    await this.database.transaction(async () => {
      const missed = await this.database.query<ChangedCourse & { isNews: boolean }>(
        `WITH noted AS (
           INSERT INTO sweeps AS s (provider_application_id, sequence) VALUES ($1, $2)
           ON CONFLICT (provider_application_id) DO UPDATE
           SET sequence = greatest(s.sequence, excluded.sequence)
         ),
         missed AS (
           SELECT c.id FROM courses AS c
           WHERE c.provider_application_id = $1
             AND c.sequence < $2 AND c.confirmed_at < $3
             AND NOT EXISTS (
               SELECT FROM unnest($4::text[]) AS seen (course_guid)
               WHERE seen.course_guid = c.course_guid
             )
           ORDER BY c.course_guid
           FOR UPDATE
         )
         UPDATE courses AS c
         SET deleted = true, sequence = $2,
             version = c.version + CASE WHEN c.deleted THEN 0 ELSE 1 END,
             changed_at = CASE WHEN c.deleted THEN c.changed_at ELSE now() END,
             updated_at = CASE WHEN c.deleted THEN c.updated_at ELSE now() END
         FROM missed
         WHERE c.id = missed.id
         RETURNING c.id AS "courseId", c.course_guid AS "courseGuid", c.title, c.deleted, c.version,
                   c.changed_at = now() AS "isNews"`,
        [sweep.applicationId, sweep.sequence, sweep.startedAt, sweep.courseGuids],
      );
      const gone = missed.filter((course) => course.isNews);
      await publishChanges(this.outbox, sweep.applicationId, gone);
    });
  }
}
