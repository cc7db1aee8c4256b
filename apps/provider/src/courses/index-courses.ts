import { Database, sql } from '@registrar/persistence';
import { Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { listQuery, type PageRequest, PageRequestPipe, readPage } from '../http/paging.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { courseQuery, courseRow, detailColumns, toCourseRecord } from './course-record.ts';

const courseListQuery = listQuery.extend({
  ...courseQuery.shape,
  datetimeFilter: listQuery.shape.datetimeFilter.default('updated'),
  filterBy: z.enum(['course_id', 'title']).default('course_id'),
});
type CourseListRequest = PageRequest<z.output<typeof courseListQuery>>;

const pageSize = 500;

/** Lists the courses of an application, each in its newest version. */
@ApiController('courses')
export class IndexCourses {
  constructor(private readonly database: Database) {}

  @Get()
  async index(
    @CurrentApplication() application: AuthenticatedApplication,
    @QueryParameters(new PageRequestPipe(courseListQuery)) request: CourseListRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { query } = request;
    const { rows, more } = await readPage(
      this.database,
      {
        row: courseRow,
        select: sql`SELECT c.id, c.course_id, c.title, c.tags, c.created_at, c.updated_at,
                           ${detailColumns(query, false, 'course = c.id')}
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
      reply,
    );
    return { courses: rows.map(toCourseRecord), more };
  }
}
