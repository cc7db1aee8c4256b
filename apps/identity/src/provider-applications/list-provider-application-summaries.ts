import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listProviderApplicationSummaries } from '@registrar/contracts';
import { customPlan, Database, decodeCursor, join, sql, toPage } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { FindRealm } from '../realms/find-realm.ts';
import { courseProviderColumns } from './course-provider-record.ts';

/** Lists the provider applications of a realm, or of all realms, for the operator. */
@Controller()
export class ListProviderApplicationSummaries {
  constructor(
    private readonly database: Database,
    private readonly findRealm: FindRealm,
  ) {}

  /** @throws {Failure} `not-found` for an unknown realm */
  @HandleRequest(listProviderApplicationSummaries)
  async list(
    input: InputOf<typeof listProviderApplicationSummaries>,
  ): Promise<ReplyOf<typeof listProviderApplicationSummaries>> {
    const { realmGuid, applicationId, cursor, limit } = input;
    const conditions = [sql`a.id > ${decodeCursor(cursor)}`];
    if (realmGuid !== null) {
      conditions.push(sql`a.realm_id = ${await this.findRealm.idByGuid(realmGuid)}`);
    }
    if (applicationId !== undefined) conditions.push(sql`a.id = ${applicationId}`);
    const rows = await this.database.many(
      listProviderApplicationSummaries.item,
      sql`SELECT ${courseProviderColumns}, r.guid AS realm_guid
          FROM provider_applications AS a JOIN realms AS r ON r.id = a.realm_id
          WHERE ${join(conditions, ' AND ')}
          ORDER BY a.id
          LIMIT ${limit + 1} ${customPlan}`,
    );
    return toPage(rows, limit);
  }
}
