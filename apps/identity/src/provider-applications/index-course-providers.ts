import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { courseProviderRecord, indexCourseProviders } from '@registrar/contracts';
import { countRows, Database, decodeCursor, sql, toPage } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { isApplicationInScope } from '../access-rules.ts';
import { courseProviderColumns } from './course-provider-record.ts';

/** Lists the provider applications of a scope by their ids (contract/course-providers#index). */
@Controller()
export class IndexCourseProviders {
  constructor(private readonly database: Database) {}

  @HandleRequest(indexCourseProviders)
  async index(
    input: InputOf<typeof indexCourseProviders>,
  ): Promise<ReplyOf<typeof indexCourseProviders>> {
    const { scope, cursor, limit } = input;
    const all = sql`
      SELECT ${courseProviderColumns}
      FROM provider_applications AS a
      WHERE ${isApplicationInScope(scope)}`;
    const [rows, total] = await Promise.all([
      this.database.many(
        courseProviderRecord,
        sql`${all} AND a.id > ${decodeCursor(cursor)} ORDER BY a.id LIMIT ${limit + 1}`,
      ),
      input.count ? countRows(this.database, scope, all) : undefined,
    ]);
    return { ...toPage(rows, limit), total };
  }
}
