import { Database, join, raw, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { listQuery, pageConditions, pageOrder, type PageRequest, toPage } from '../http/paging.ts';
import { flag } from '../http/parse.ts';
import { type CourseRecord, courseRow, detailColumns, toCourseRecord } from './course-record.ts';

export const courseListQuery = listQuery.extend({
  datetimeFilter: listQuery.shape.datetimeFilter.default('updated'),
  filter: z.string().max(255).optional(),
  filterBy: z.enum(['course_id', 'title']).default('course_id'),
  includeCourseMetadata: flag.default(false),
  includeRegistrationCount: flag.default(false),
});

const pageSize = 500;

/** Lists the courses of an application, each in its newest version. */
@Injectable()
export class IndexCourses {
  constructor(private readonly database: Database) {}

  async index(
    application: AuthenticatedApplication,
    request: PageRequest<z.output<typeof courseListQuery>>,
  ): Promise<{ courses: CourseRecord[]; more?: string | undefined }> {
    const { query } = request;
    const details = {
      metadata: query.includeCourseMetadata,
      activities: false,
      registrationCount: query.includeRegistrationCount,
    };
    const filtered = raw(`c.${query.filterBy}`);
    const conditions = [
      ownedBy(application, 'c'),
      ...(query.filter === undefined
        ? []
        : [sql`strpos(lower(${filtered}), lower(${query.filter})) > 0`]),
      ...pageConditions(request, 'c'),
    ];
    const found = await this.database.many(
      courseRow,
      sql`SELECT c.id, c.course_id, c.title, c.created_at, c.updated_at,
                 ${detailColumns(details, 'course = c.id')}
          FROM courses AS c
          CROSS JOIN LATERAL (
            SELECT version, size, structure FROM course_versions
            WHERE course = c.id ORDER BY version DESC LIMIT 1
          ) AS v
          WHERE ${join(conditions, ' AND ')}
          ${pageOrder('c', query.orderBy, pageSize)}`,
    );
    const { rows, more } = toPage(found, pageSize, request);
    return { courses: rows.map(toCourseRecord), more };
  }
}
