import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { Failure, findCourse } from '@registrar/contracts';
import { Database, empty, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedCourses } from '../access-rules.ts';

const row = z.object({
  courseId: z.number(),
  applicationId: z.number(),
  courseGuid: z.string(),
  title: z.string(),
});

/**
 * Finds the course with a GUID in some provider applications.
 *
 * @param lock SQL that locks its row
 * @throws {Failure} `not-found` when none of the applications holds the course, or several do
 * (contract/registrations#create-application)
 */
export async function findCourseByGuid(
  database: Database,
  { applicationIds, courseGuid }: InputOf<typeof findCourse>,
  lock = empty,
): Promise<ReplyOf<typeof findCourse>> {
  const [course, another] = await database.many(
    row,
    sql`
      SELECT c.id AS "courseId", c.provider_application_id AS "applicationId",
             c.course_guid AS "courseGuid", c.title
      FROM courses AS c
      WHERE ${reachedCourses({ applicationIds })} AND c.course_guid = ${courseGuid} AND NOT c.deleted
      ORDER BY c.id
      LIMIT 2
      ${lock}`,
  );
  if (!course) throw new Failure('not-found', 'no such course');
  if (another) throw new Failure('not-found', 'several provider applications hold the course');
  return course;
}

/** Finds a course by its GUID, above all for registration create. */
@Controller()
export class FindCourse {
  constructor(private readonly database: Database) {}

  @HandleRequest(findCourse)
  find(input: InputOf<typeof findCourse>): Promise<ReplyOf<typeof findCourse>> {
    return findCourseByGuid(this.database, input);
  }
}
