import { Database, sql } from '@registrar/persistence';
import { Get, NotFoundException, Param } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { timestamp } from '../http/parse.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import {
  type CourseQuery,
  courseQuery,
  type CourseRecord,
  courseRow,
  detailColumns,
  toCourseRecord,
} from './course-record.ts';
import { versionNumber } from './version-number.ts';

const versionsQuery = courseQuery.extend({
  since: timestamp.optional(),
  until: timestamp.optional(),
});

/** Reads one course of an application: its newest version, one of them, or all. */
@ApiController('courses/:courseId')
export class FindCourse {
  constructor(private readonly database: Database) {}

  /** @throws {NotFoundException} if the application has no such course */
  @Get()
  async find(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @QueryParameters(new SchemaPipe(courseQuery)) query: CourseQuery,
  ): Promise<CourseRecord> {
    const course = await findCourse(this.database, application, courseId, query);
    if (!course) throw courseNotFound(courseId);
    return course;
  }

  /** @returns the versions, newest first */
  @Get('versions')
  async listVersions(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @QueryParameters(new SchemaPipe(versionsQuery)) query: z.output<typeof versionsQuery>,
  ): Promise<{ courses: CourseRecord[] }> {
    const rows = await this.database.many(
      courseRow,
      sql`${selectVersions(query, false)}
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

  /** @throws {NotFoundException} if the application has no such version */
  @Get('versions/:version')
  async findVersion(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Param('version', new SchemaPipe(versionNumber)) version: number,
    @QueryParameters(new SchemaPipe(courseQuery)) query: CourseQuery,
  ): Promise<CourseRecord> {
    const row = await this.database.maybeOne(
      courseRow,
      sql`${selectVersions(query, true)}
          WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId} AND v.version = ${version}`,
    );
    if (!row) throw versionNotFound(courseId, version);
    return toCourseRecord(row);
  }
}

/** Selects versions as {@link courseRow}s, which have the title and the time of their import. */
const selectVersions = (query: CourseQuery, withActivities: boolean) => sql`
  SELECT v.id, c.course_id, v.title, c.tags, v.created_at, v.created_at AS updated_at,
         ${detailColumns(query, withActivities, 'course_version = v.id')}
  FROM courses AS c JOIN course_versions AS v ON v.course = c.id`;

/** Reads the newest version of a course; null if the application has none of that id. */
export async function findCourse(
  database: Database,
  application: AuthenticatedApplication,
  courseId: string,
  query: CourseQuery,
): Promise<CourseRecord | null> {
  const row = await database.maybeOne(
    courseRow,
    sql`SELECT c.id, c.course_id, c.title, c.tags, c.created_at, c.updated_at,
               ${detailColumns(query, true, 'course = c.id')}
        FROM courses AS c JOIN course_versions AS v ON v.course = c.id
        WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}
        ORDER BY v.version DESC LIMIT 1`,
  );
  return row && toCourseRecord(row);
}

export const courseNotFound = (courseId: string) =>
  new NotFoundException(`Could not find course [${courseId}]`);

/** @param version null if the request names none */
export const courseOrVersionNotFound = (courseId: string, version: number | null) =>
  version === null ? courseNotFound(courseId) : versionNotFound(courseId, version);

export const versionNotFound = (courseId: string, version: number) =>
  new NotFoundException(`Could not find version ${version} of course [${courseId}]`);
