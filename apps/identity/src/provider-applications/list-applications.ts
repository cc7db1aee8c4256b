import { type InputOf, type ReplyOf } from '#libs/bus';
import { type listApplications } from '#libs/contracts';
import { Database, decodeCursor, pageOf } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { FindRealm } from '../realms/find-realm.ts';
import {
  courseProviderColumns,
  courseProviderRecord,
  type CourseProviderRow,
} from './course-provider-record.ts';

/** The provider applications of a realm, or of all, for the operator. */
@Injectable()
export class ListApplications {
  constructor(
    private readonly database: Database,
    private readonly realms: FindRealm,
  ) {}

  /** @throws {Failure} `not-found` for an unknown realm */
  async run(input: InputOf<typeof listApplications>): Promise<ReplyOf<typeof listApplications>> {
    const { realmGuid, cursor, limit } = input;
    const realmId = realmGuid === null ? null : await this.realms.byGuid(realmGuid);
    const rows = await this.database.query<CourseProviderRow & { realm_guid: string }>(
      `SELECT ${courseProviderColumns}, r.guid AS realm_guid
       FROM provider_applications AS a JOIN realms AS r ON r.id = a.realm_id
       WHERE ($1::integer IS NULL OR a.realm_id = $1) AND a.id > $2
       ORDER BY a.id
       LIMIT $3`,
      [realmId, decodeCursor(cursor), limit + 1],
    );
    const { items, next } = pageOf(rows, limit);
    return { items: items.map(courseProviderRecord), next };
  }
}
