import { HandleRequest, type InputOf } from '@registrar/bus';
import { type CourseRecord, indexCourses, type Page } from '@registrar/contracts';
import {
  boundedRows,
  countRows,
  customPlan,
  Database,
  decodeCursor,
  join,
  patternConditions,
  queryWithPatterns,
  sql,
  type Sql,
  toBoundedPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedCourses } from '../access-rules.ts';
import { courseBytes, courseColumns, courseRow, toCourseRecord } from './course-record.ts';

type Input = InputOf<typeof indexCourses>;

const listedRow = courseRow.extend({ more: z.boolean() });

/**
 * Lists courses, page by page in the order of ids (contract/courses#index). A user-bound key sees
 * the same courses as an unbound one (contract/access#user-key-courses).
 */
@Controller()
export class IndexCourses {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `invalid` for an expression that cannot be parsed or takes too long */
  @HandleRequest(indexCourses)
  async index(input: Input): Promise<Page<CourseRecord>> {
    const { scope, filters, cursor } = input;
    const patterns = patternsOf(filters);
    const conditions = [
      reachedCourses(scope),
      sql`NOT c.deleted`,
      ...exactMatches(filters),
      ...patterns,
    ];
    const all = sql`SELECT c.* FROM courses AS c WHERE ${join(conditions, ' AND ')}`;
    const listed = sql`${all} AND c.id > ${decodeCursor(cursor)}`;
    const statement = sql`
      SELECT ${courseColumns}, c.more
      FROM (${boundedRows(listed, courseBytes, input)}) AS c
      ORDER BY c.id ${customPlan}`;
    const [rows, total] = await Promise.all([
      patterns.length > 0
        ? queryWithPatterns(this.database, scope, listedRow, statement)
        : this.database.many(listedRow, statement),
      input.count ? countRows(this.database, scope, all) : undefined,
    ]);
    const { items, next } = toBoundedPage(rows);
    return { items: items.map(toCourseRecord), next, total };
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
