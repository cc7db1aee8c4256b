import { HandleRequest, type InputOf } from '@registrar/bus';
import { type CourseRecord, indexCourses, type Page } from '@registrar/contracts';
import {
  Database,
  decodeCursor,
  join,
  patternConditions,
  queryWithPatterns,
  sql,
  type Sql,
  toPage,
} from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { courseColumns, courseRow, toCourseRecord } from './course-record.ts';

type Input = InputOf<typeof indexCourses>;

/**
 * Lists courses, page by page in the order of ids (contract/courses#index). A user-bound key sees
 * the same courses as an unbound one (contract/access#user-key-courses).
 */
@Injectable()
export class IndexCourses {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `invalid` for an expression that cannot be parsed or takes too long */
  @HandleRequest(indexCourses)
  async index({ scope, filters, cursor, limit }: Input): Promise<Page<CourseRecord>> {
    const patterns = patternsOf(filters);
    const conditions = [
      sql`c.provider_application_id = ANY(${scope.applicationIds})`,
      sql`NOT c.deleted`,
      sql`c.id > ${decodeCursor(cursor)}`,
      ...exactMatches(filters),
      ...patterns,
    ];
    const statement = sql`
      SELECT ${courseColumns}
      FROM courses AS c
      WHERE ${join(conditions, ' AND ')}
      ORDER BY c.id
      LIMIT ${limit + 1}`;
    const rows =
      patterns.length > 0
        ? await queryWithPatterns(this.database, courseRow, statement)
        : await this.database.many(courseRow, statement);
    const { items, next } = toPage(rows, limit);
    return { items: items.map(toCourseRecord), next };
  }
}

const exactMatches = ({ courseGuid, courseGuids, title, custom }: Input['filters']): Sql[] => [
  ...(courseGuid === undefined ? [] : [sql`c.course_guid = ${courseGuid}`]),
  ...(courseGuids === undefined ? [] : [sql`c.course_guid = ANY(${courseGuids})`]),
  ...(title === undefined ? [] : [sql`c.title = ${title}`]),
  ...(custom === undefined ? [] : [sql`c.custom = ${custom}`]),
];

const patternsOf = ({ patterns = {} }: Input['filters']): Sql[] =>
  patternConditions({
    'c.course_guid': patterns.courseGuid,
    'c.title': patterns.title,
    'c.custom': patterns.custom,
  });
