import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { apiKeySummary, listApiKeys } from '@registrar/contracts';
import {
  customPlan,
  Database,
  decodeCursor,
  sql,
  timestampOf,
  toPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { FindRealm } from '../realms/find-realm.ts';
import { isSelectedApiKey } from './selected-api-keys.ts';

/** Lists the selected valid API keys of a realm, or of all realms, for the operator. */
@Controller()
export class ListApiKeys {
  constructor(
    private readonly database: Database,
    private readonly findRealm: FindRealm,
  ) {}

  /** @throws {Failure} `not-found` for an unknown realm */
  @HandleRequest(listApiKeys)
  async list(input: InputOf<typeof listApiKeys>): Promise<ReplyOf<typeof listApiKeys>> {
    const { realmGuid, cursor, limit, ...filters } = input;
    const realmId = realmGuid === null ? null : await this.findRealm.idByGuid(realmGuid);
    const rows = await this.database.many(
      apiKeySummary,
      sql`SELECT k.id, r.guid AS realm_guid, k.provider_application_id AS course_provider_id,
                 ru.email AS user_email, k.permissions,
                 ${timestampOf(sql`k.created_at`)} AS created_at,
                 ${timestampOf(sql`k.last_used_at`)} AS last_used_at,
                 ${timestampOf(sql`k.expires_at`)} AS expires_at
          FROM api_keys AS k
          JOIN realms AS r ON r.id = k.realm_id
          LEFT JOIN realm_users AS ru ON ru.realm_id = k.realm_id AND ru.user_id = k.user_id
          WHERE k.id > ${decodeCursor(cursor)} AND ${isSelectedApiKey(realmId, filters)}
          ORDER BY k.id
          LIMIT ${limit + 1} ${customPlan}`,
    );
    return toPage(rows, limit);
  }
}
