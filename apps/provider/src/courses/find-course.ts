import { Database } from '#libs/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import type { Application } from '../applications/application.ts';
import { flag, moment, parse } from '../http/parse.ts';
import {
  courseRecord,
  type CourseRecord,
  type CourseRow,
  versionColumns,
} from './course-record.ts';
import { countRegistrations } from './index-courses.ts';

const courseQuery = z.object({
  includeCourseMetadata: flag.default(false),
  includeRegistrationCount: flag.default(false),
});
const versionsQuery = courseQuery.extend({ since: moment.optional(), until: moment.optional() });

/** One course of an application, in its newest version or in all of them. */
@Injectable()
export class FindCourse {
  constructor(private readonly database: Database) {}

  async newest(application: Application, courseId: string, given: unknown): Promise<CourseRecord> {
    const asked = parse(courseQuery, given);
    const parts = { metadata: asked.includeCourseMetadata, activities: true };
    const count = asked.includeRegistrationCount ? countRegistrations('course = c.id') : 'NULL';
    const [row] = await this.database.query<CourseRow>(
      `SELECT c.id, c.course_id, c.title, c.created_at, c.updated_at,
              ${versionColumns(parts)}, ${count} AS registration_count
       FROM courses c JOIN course_versions v ON v.course = c.id
       WHERE c.application_id = $1 AND c.course_id = $2
       ORDER BY v.version DESC LIMIT 1`,
      [application.id, courseId],
    );
    if (!row) throw unknownCourse(courseId);
    return courseRecord(row);
  }

  /** Newest first. */
  async versions(
    application: Application,
    courseId: string,
    given: unknown,
  ): Promise<{ courses: CourseRecord[] }> {
    const asked = parse(versionsQuery, given);
    const parts = { metadata: asked.includeCourseMetadata, activities: false };
    const count = asked.includeRegistrationCount
      ? countRegistrations('course_version = v.id')
      : 'NULL';
    const rows = await this.database.query<CourseRow>(
      `SELECT v.id, c.course_id, v.title, v.created_at, v.created_at AS updated_at,
              ${versionColumns(parts)}, ${count} AS registration_count
       FROM courses c JOIN course_versions v ON v.course = c.id
       WHERE c.application_id = $1 AND c.course_id = $2
       ORDER BY v.version DESC`,
      [application.id, courseId],
    );
    if (rows.length === 0) throw unknownCourse(courseId);
    const within = rows.filter(
      ({ updated_at: updated }) =>
        !(asked.since && updated < asked.since) && !(asked.until && updated > asked.until),
    );
    return { courses: within.map(courseRecord) };
  }
}

export const unknownCourse = (courseId: string) =>
  new NotFoundException(`No course has the id '${courseId}'.`);
