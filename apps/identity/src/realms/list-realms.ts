import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listRealms, realmSummary } from '@registrar/contracts';
import { Database, decodeCursor, sql, timestampOf, toPage } from '@registrar/persistence';
import { Controller } from '@nestjs/common';

/** Lists all realms of the installation for its operator. */
@Controller()
export class ListRealms {
  constructor(private readonly database: Database) {}

  @HandleRequest(listRealms)
  async list({ cursor, limit }: InputOf<typeof listRealms>): Promise<ReplyOf<typeof listRealms>> {
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
          WHERE r.id > ${decodeCursor(cursor)}
          ORDER BY r.id
          LIMIT ${limit + 1}`,
    );
    return toPage(rows, limit);
  }
}
