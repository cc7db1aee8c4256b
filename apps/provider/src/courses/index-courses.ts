import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { listQuery, type Page, type PageRequest, readPage } from '../http/paging.ts';
import { flag } from '../http/parse.ts';
import { type CourseRecord, courseRow, detailColumns, toCourseRecord } from './course-record.ts';

export const courseListQuery = listQuery.extend({
  datetimeFilter: listQuery.shape.datetimeFilter.default('updated'),
  filterBy: z.enum(['course_id', 'title']).default('course_id'),
  includeCourseMetadata: flag.default(false),
  includeRegistrationCount: flag.default(false),
});
type CourseListRequest = PageRequest<z.output<typeof courseListQuery>>;

/** A page of courses in the API. */
interface CourseList {
  readonly courses: CourseRecord[];
  readonly more?: string | undefined;
}

const pageSize = 500;

/** Lists the courses of an application, each in its newest version. */
@Injectable()
export class IndexCourses {
  constructor(private readonly database: Database) {}

  async index(
    application: AuthenticatedApplication,
    request: CourseListRequest,
  ): Promise<Page<CourseList>> {
    const { query } = request;
    const details = {
      metadata: query.includeCourseMetadata,
      activities: false,
      registrationCount: query.includeRegistrationCount,
    };
    const { rows, more, totalCount } = await readPage(
      this.database,
      {
        row: courseRow,
        select: sql`SELECT c.id, c.course_id, c.title, c.tags, c.created_at, c.updated_at,
                           ${detailColumns(details, 'course = c.id')}
                    FROM courses AS c
                    CROSS JOIN LATERAL (
                      SELECT version, size, structure, warnings FROM course_versions
                      WHERE course = c.id ORDER BY version DESC LIMIT 1
                    ) AS v`,
        from: sql`FROM courses AS c`,
        alias: 'c',
        filterColumn: `c.${query.filterBy}`,
        conditions: [ownedBy(application, 'c')],
        pageSize,
      },
      request,
    );
    return { body: { courses: rows.map(toCourseRecord), more }, totalCount };
  }
}
