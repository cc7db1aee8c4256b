import { HandleEvent, Outbox, type PayloadOf } from '@registrar/bus';
import { coursesSwept } from '@registrar/contracts';
import { customPlan, Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import {
  changedCourseColumns,
  changedCourseRow,
  publishCourseChanges,
} from './publish-course-changes.ts';

/** Marks the courses that a provider no longer holds as deleted. */
@Controller()
export class SweepCourses {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
   * A sweep has read the whole list of courses. A course that is not in the list is deleted, unless
   * a newer crawl found it or it was created after the sweep began. A course that is deleted already
   * gets the sequence of the sweep, so that no older crawl restores it.
   */
  @HandleEvent(coursesSwept)
  async sweep(sweep: PayloadOf<typeof coursesSwept>): Promise<void> {
    const { applicationId, sequence, startedAt, courseGuids } = sweep;
    await this.database.transaction(async () => {
      const missed = await this.database.many(
        changedCourseRow,
        sql`
          WITH noted AS (
            INSERT INTO sweeps AS s (provider_application_id, sequence)
            VALUES (${applicationId}, ${sequence})
            ON CONFLICT (provider_application_id) DO UPDATE
            SET sequence = greatest(s.sequence, excluded.sequence)
          ),
          missed AS (
            SELECT c.id FROM courses AS c
            WHERE c.provider_application_id = ${applicationId}
              AND c.sequence < ${sequence} AND c.confirmed_at < ${startedAt}
              AND NOT EXISTS (
                SELECT FROM unnest(${courseGuids}::text[]) AS seen (course_guid)
                WHERE seen.course_guid = c.course_guid
              )
            ORDER BY c.course_guid
            FOR UPDATE
          )
          UPDATE courses AS c
          SET deleted = true, sequence = ${sequence},
              version = c.version + CASE WHEN c.deleted THEN 0 ELSE 1 END,
              changed_at = CASE WHEN c.deleted THEN c.changed_at ELSE now() END,
              updated_at = CASE WHEN c.deleted THEN c.updated_at ELSE now() END
          FROM missed
          WHERE c.provider_application_id = ${applicationId} AND c.id = missed.id
          RETURNING ${changedCourseColumns} ${customPlan}`,
      );
      await publishCourseChanges(this.outbox, applicationId, missed);
    });
  }
}
