import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { courseChanged } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';

/** Maintains the copy of the catalog's courses. */
@Controller()
export class CopyCourse {
  constructor(private readonly database: Database) {}

  /** Inserts or updates the course of an event, unless a newer version was applied before. */
  @HandleEvent(courseChanged)
  async copy(course: PayloadOf<typeof courseChanged>): Promise<void> {
    await this.database.execute(
      sql`INSERT INTO courses (
            id, provider_application_id, course_guid, title, deleted, version, keywords
          )
          VALUES (
            ${course.courseId}, ${course.applicationId}, ${course.courseGuid}, ${course.title},
            ${course.deleted}, ${course.version}, ${course.keywords}
          )
          ON CONFLICT (provider_application_id, id) DO UPDATE
          SET course_guid = excluded.course_guid, title = excluded.title,
              deleted = excluded.deleted, version = excluded.version, keywords = excluded.keywords
          WHERE courses.version < excluded.version`,
    );
  }
}
