import { Database, sql } from '@registrar/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { flag, timestamp } from '../http/parse.ts';
import { type CourseRecord, courseRow, detailColumns, toCourseRecord } from './course-record.ts';

export const courseQuery = z.strictObject({
  includeCourseMetadata: flag.default(false),
  includeRegistrationCount: flag.default(false),
});
type CourseQuery = z.output<typeof courseQuery>;

export const versionsQuery = courseQuery.extend({
  since: timestamp.optional(),
  until: timestamp.optional(),
});

/** Reads one course of an application: its newest version, or all of them. */
@Injectable()
export class FindCourse {
  constructor(private readonly database: Database) {}

  /** @throws {NotFoundException} if the application has no such course */
  async find(
    application: AuthenticatedApplication,
    courseId: string,
    query: CourseQuery,
  ): Promise<CourseRecord> {
    const details = { ...detailsOf(query), activities: true };
    const row = await this.database.maybeOne(
      courseRow,
      sql`SELECT c.id, c.course_id, c.title, c.tags, c.created_at, c.updated_at,
                 ${detailColumns(details, 'course = c.id')}
          FROM courses AS c JOIN course_versions AS v ON v.course = c.id
          WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}
          ORDER BY v.version DESC LIMIT 1`,
    );
    if (!row) throw courseNotFound(courseId);
    return toCourseRecord(row);
  }

  /** @returns the versions, newest first */
  async listVersions(
    application: AuthenticatedApplication,
    courseId: string,
    query: z.output<typeof versionsQuery>,
  ): Promise<{ courses: CourseRecord[] }> {
    const rows = await this.database.many(
      courseRow,
      sql`SELECT v.id, c.course_id, v.title, c.tags, v.created_at, v.created_at AS updated_at,
                 ${detailColumns(detailsOf(query), 'course_version = v.id')}
          FROM courses AS c JOIN course_versions AS v ON v.course = c.id
          WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}
          ORDER BY v.version DESC`,
    );
    if (rows.length === 0) throw courseNotFound(courseId);
    const { since, until } = query;
    const inPeriod = rows.filter(
      ({ updated_at: updated }) => !(since && updated < since) && !(until && updated > until),
    );
    return { courses: inPeriod.map(toCourseRecord) };
  }
}

const detailsOf = (query: CourseQuery) => ({
  metadata: query.includeCourseMetadata,
  activities: false,
  registrationCount: query.includeRegistrationCount,
});

export const courseNotFound = (courseId: string) =>
  new NotFoundException(`No course has the id '${courseId}'.`);
