import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { courseChanged } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { deletion } from './deletion.ts';

/**
 * Marks the registrations of a course as deleted that course delete has deleted with the course at
 * the provider (contract/courses#delete-registrations).
 */
@Controller()
export class DeleteCourseRegistrations {
  constructor(private readonly database: Database) {}

  /** A registration that was created later belongs to a new course of the same GUID. */
  @HandleEvent(courseChanged)
  async deleteAll(course: PayloadOf<typeof courseChanged>): Promise<void> {
    const { applicationId, courseGuid, registrationsDeletedAt } = course;
    if (registrationsDeletedAt === undefined) return;
    await this.database.execute(
      sql`UPDATE registrations SET ${deletion}
          WHERE provider_application_id = ${applicationId} AND id IN (
            SELECT id FROM registrations
            WHERE provider_application_id = ${applicationId} AND course_guid = ${courseGuid}
              AND created_at <= ${registrationsDeletedAt}
              AND provider_state NOT IN ('pending', 'refused') AND deleted IS NULL
            ORDER BY id
            FOR UPDATE
          )`,
    );
  }
}
