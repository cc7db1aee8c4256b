import { BusClient } from '@registrar/bus';
import { type AccessScope, Failure, findCourse } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { reachedCourses } from '../access-rules.ts';
import { type InvitedCourse, invitedCourseRow } from './invitation-repository.ts';

/** Finds the provider application of each course of an invitation. */
@Injectable()
export class FindInvitedCourses {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
  ) {}

  /**
   * Searches the applications that the scope reaches (contract/registrations#create-application).
   * Asks the catalog only for courses that are missing in the copy of courses.
   *
   * @returns each course once, in the order of `courseGuids`
   * @throws {Failure} `not-found` for a course that no application holds, or more than one
   * (contract/invitations#create-unknown-course)
   */
  async find(scope: AccessScope, courseGuids: readonly string[]): Promise<InvitedCourse[]> {
    const { applicationIds } = scope;
    const copied = await this.database.many(
      invitedCourseRow,
      sql`SELECT DISTINCT c.provider_application_id AS "applicationId", c.course_guid AS "courseGuid"
          FROM courses AS c
          WHERE ${reachedCourses(scope)} AND c.course_guid = ANY(${courseGuids}) AND NOT c.deleted`,
    );
    const holders = Map.groupBy(copied, (course) => course.courseGuid);
    const courses: InvitedCourse[] = [];
    for (const courseGuid of new Set(courseGuids)) {
      const [course, another] = holders.get(courseGuid) ?? [];
      if (another) throw new Failure('not-found', 'several provider applications hold the course');
      courses.push(course ?? (await this.bus.request(findCourse, { applicationIds, courseGuid })));
    }
    return courses;
  }
}
