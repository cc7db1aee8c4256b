import { type InputOf } from '#libs/bus';
import { type CourseProviderRecord, type indexCourseProviders, type Page } from '#libs/contracts';
import { Database, decodeCursor, pageOf } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import {
  courseProviderColumns,
  courseProviderRecord,
  type CourseProviderRow,
} from './course-provider-record.ts';

/** The provider applications that the access reaches (decision 28), in the order of their ids. */
@Injectable()
export class IndexCourseProviders {
  constructor(private readonly database: Database) {}

  async run(input: InputOf<typeof indexCourseProviders>): Promise<Page<CourseProviderRecord>> {
    const { scope, cursor, limit } = input;
    const rows = await this.database.query<CourseProviderRow>(
      `SELECT ${courseProviderColumns}
       FROM provider_applications AS a
       WHERE a.realm_id = $1 AND a.id = ANY($2) AND a.id > $3
       ORDER BY a.id
       LIMIT $4`,
      [scope.realmId, scope.applicationIds, decodeCursor(cursor), limit + 1],
    );
    const { items, next } = pageOf(rows, limit);
    return { items: items.map(courseProviderRecord), next };
  }
}
