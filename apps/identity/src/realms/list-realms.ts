import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listRealms, realmSummary } from '@registrar/contracts';
import {
  customPlan,
  Database,
  decodeCursor,
  join,
  sql,
  timestampOf,
  toPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';

/** Lists the realms of the installation for its operator. */
@Controller()
export class ListRealms {
  constructor(private readonly database: Database) {}

  @HandleRequest(listRealms)
  async list(input: InputOf<typeof listRealms>): Promise<ReplyOf<typeof listRealms>> {
    const { realmGuid, text, cursor, limit } = input;
    const conditions = [sql`r.id > ${decodeCursor(cursor)}`];
    if (realmGuid !== undefined) conditions.push(sql`r.guid = ${realmGuid}`);
    if (text !== undefined) conditions.push(sql`strpos(lower(r.name), lower(${text})) > 0`);
    const rows = await this.database.many(
      realmSummary,
      sql`SELECT r.id, r.guid, r.name, ${timestampOf(sql`r.created_at`)} AS created_at,
                 ${timestampOf(sql`r.disabled_at`)} AS disabled_at,
                 r.compatibility ->> 'clients' AS compatibility,
                 coalesce((r.compatibility ->> 'userLicenses')::boolean, false) AS user_licenses,
                 (SELECT count(*) FROM provider_applications WHERE realm_id = r.id)
                   AS provider_applications,
                 (SELECT count(*) FROM realm_users WHERE realm_id = r.id) AS users
          FROM realms AS r
          WHERE ${join(conditions, ' AND ')}
          ORDER BY r.id
          LIMIT ${limit + 1} ${customPlan}`,
    );
    return toPage(rows, limit);
  }
}
