import { type InputOf, type ReplyOf } from '#libs/bus';
import { Failure, type findCourse } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** Finds a course by its GUID, for registration create above all. */
@Injectable()
export class FindCourse {
  constructor(private readonly database: Database) {}

  /**
   * @throws {Failure} `not-found` when none of the applications holds the course, and when several
   * do (decision 13)
   */
  async run({
    applicationIds,
    courseGuid,
  }: InputOf<typeof findCourse>): Promise<ReplyOf<typeof findCourse>> {
    const [course, another] = await this.database.query<ReplyOf<typeof findCourse>>(
      `SELECT id AS "courseId", provider_application_id AS "applicationId",
              course_guid AS "courseGuid", title
       FROM courses
       WHERE provider_application_id = ANY($1) AND course_guid = $2 AND NOT deleted
       LIMIT 2`,
      [applicationIds, courseGuid],
    );
    if (!course) throw new Failure('not-found', 'no such course');
    if (another) throw new Failure('not-found', 'several provider applications hold the course');
    return course;
  }
}
