import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { Failure, findCourse } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';

const row = z.object({
  courseId: z.number(),
  applicationId: z.number(),
  courseGuid: z.string(),
  title: z.string(),
});

/** Finds a course by its GUID, above all for registration create. */
@Injectable()
export class FindCourse {
  constructor(private readonly database: Database) {}

  /**
   * @throws {Failure} `not-found` when none of the applications holds the course, or several do
   * (contract/registrations#create-application)
   */
  @HandleRequest(findCourse)
  async find(input: InputOf<typeof findCourse>): Promise<ReplyOf<typeof findCourse>> {
    const { applicationIds, courseGuid } = input;
    const [course, another] = await this.database.many(
      row,
      sql`
        SELECT id AS "courseId", provider_application_id AS "applicationId",
               course_guid AS "courseGuid", title
        FROM courses
        WHERE provider_application_id = ANY(${applicationIds}) AND course_guid = ${courseGuid}
          AND NOT deleted
        LIMIT 2`,
    );
    if (!course) throw new Failure('not-found', 'no such course');
    if (another) throw new Failure('not-found', 'several provider applications hold the course');
    return course;
  }
}
