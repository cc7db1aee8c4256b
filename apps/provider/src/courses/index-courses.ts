import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { Application } from '../applications/application.ts';
import {
  Conditions,
  datetimeFilters,
  orderBy,
  pageClause,
  pageOf,
  pageQuery,
} from '../http/paging.ts';
import { flag, moment, parse } from '../http/parse.ts';
import {
  courseRecord,
  type CourseRecord,
  type CourseRow,
  versionColumns,
} from './course-record.ts';

const query = z.object({
  since: moment.optional(),
  until: moment.optional(),
  datetimeFilter: z.enum(['created', 'updated']).default('updated'),
  filter: z.string().max(255).optional(),
  filterBy: z.enum(['course_id', 'title']).default('course_id'),
  orderBy,
  includeCourseMetadata: flag.default(false),
  includeRegistrationCount: flag.default(false),
});

const pageSize = 500;

export const countRegistrations = (of: string) =>
  `(SELECT count(*)::integer FROM registrations WHERE ${of})`;

/** A page of an application's courses, each in its newest version. */
@Injectable()
export class IndexCourses {
  constructor(private readonly database: Database) {}

  async run(
    application: Application,
    given: unknown,
  ): Promise<{ courses: CourseRecord[]; more?: string | undefined }> {
    const { query: text, after } = pageQuery(given);
    const asked = parse(query, text);
    const parts = { metadata: asked.includeCourseMetadata, activities: false };
    const moments = `c.${datetimeFilters[asked.datetimeFilter]}`;
    const where = new Conditions()
      .add('c.application_id = $', application.id)
      .add(`${moments} >= $`, asked.since)
      .add(`${moments} <= $`, asked.until)
      .add(`strpos(lower(c.${asked.filterBy}), lower($)) > 0`, asked.filter)
      .after(after, 'c', asked.orderBy);
    const count = asked.includeRegistrationCount ? countRegistrations('course = c.id') : 'NULL';
    const found = await this.database.query<CourseRow>(
      `SELECT c.id, c.course_id, c.title, c.created_at, c.updated_at,
              ${versionColumns(parts)}, ${count} AS registration_count
       FROM courses c
       CROSS JOIN LATERAL (
         SELECT version, size, structure FROM course_versions
         WHERE course = c.id ORDER BY version DESC LIMIT 1
       ) v
       WHERE ${where.text}
       ${pageClause('c', asked.orderBy, pageSize)}`,
      where.parameters,
    );
    const { rows, more } = pageOf(found, pageSize, text, asked.orderBy);
    return { courses: rows.map(courseRecord), more };
  }
}
