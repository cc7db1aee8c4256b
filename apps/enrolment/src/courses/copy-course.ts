import { type PayloadOf } from '#libs/bus';
import { type courseChanged } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** Keeps the copy of the catalog's courses. */
@Injectable()
export class CopyCourse {
  constructor(private readonly database: Database) {}

  /** Takes a course over as the event tells it, unless a newer version was taken over before. */
  async run(course: PayloadOf<typeof courseChanged>): Promise<void> {
    await this.database.query(
      `INSERT INTO courses (id, provider_application_id, course_guid, title, deleted, version)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE
       SET course_guid = excluded.course_guid, title = excluded.title,
           deleted = excluded.deleted, version = excluded.version
       WHERE courses.provider_application_id = excluded.provider_application_id
         AND courses.version < excluded.version`,
      [
        course.courseId,
        course.applicationId,
        course.courseGuid,
        course.title,
        course.deleted,
        course.version,
      ],
    );
  }
}
