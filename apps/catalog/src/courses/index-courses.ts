import { type InputOf } from '#libs/bus';
import { type CourseRecord, type indexCourses, type Page } from '#libs/contracts';
import {
  Database,
  decodeCursor,
  pageOf,
  patternConditions,
  queryWithPatterns,
} from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { courseColumns, courseRecord, type CourseRow } from './course-record.ts';

/**
 * Course index (api-v2.md, Course: index), page by page in the order of ids. An api key that is
 * bound to a user sees the same courses as one that is not (decision 14).
 */
@Injectable()
export class IndexCourses {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `invalid` for an expression that cannot be parsed or takes too long */
  async run(input: InputOf<typeof indexCourses>): Promise<Page<CourseRecord>> {
    const { scope, filters, cursor, limit } = input;
    const parameters: unknown[] = [
      scope.applicationIds,
      decodeCursor(cursor),
      filters.courseGuid ?? null,
      filters.title ?? null,
      filters.custom ?? null,
      limit + 1,
    ];
    const { courseGuid, title, custom } = filters.patterns ?? {};
    const matches = patternConditions(
      { 'c.course_guid': courseGuid, 'c.title': title, 'c.custom': custom },
      parameters,
    );
    const sql = `
      SELECT ${courseColumns}
      FROM courses AS c
      WHERE c.provider_application_id = ANY($1) AND NOT c.deleted AND c.id > $2
        AND ($3::text IS NULL OR c.course_guid = $3)
        AND ($4::text IS NULL OR c.title = $4)
        AND ($5::text IS NULL OR c.custom = $5)
        ${matches.map((condition) => `AND ${condition}`).join(' ')}
      ORDER BY c.id
      LIMIT $6`;
    const rows = matches.length
      ? await queryWithPatterns<CourseRow>(this.database, sql, parameters)
      : await this.database.query<CourseRow>(sql, parameters);
    const page = pageOf(rows, limit);
    return { items: page.items.map(courseRecord), next: page.next };
  }
}
