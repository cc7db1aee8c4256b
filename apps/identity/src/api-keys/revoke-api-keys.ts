import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { accessChanged, operatorActor, revokeApiKeys } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { AuditLog } from '../audit/audit-log.ts';
import { FindRealm } from '../realms/find-realm.ts';
import { apiKeyBatchSize, isSelectedApiKey } from './selected-api-keys.ts';

const idRow = z.object({ id: z.number() });

/** Deletes API keys of a realm for the operator, which are invalid at once. */
@Controller()
export class RevokeApiKeys {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
    private readonly findRealm: FindRealm,
  ) {}

  /** @throws {Failure} `not-found` for an unknown realm */
  @HandleRequest(revokeApiKeys)
  revoke(input: InputOf<typeof revokeApiKeys>): Promise<ReplyOf<typeof revokeApiKeys>> {
    const { realmGuid, ...filters } = input;
    return this.database.transaction(async () => {
      const realmId = await this.findRealm.idByGuid(realmGuid);
      const revoked = await this.database.many(
        idRow,
        sql`DELETE FROM api_keys WHERE realm_id = ${realmId} AND id = ANY (ARRAY(
              SELECT k.id FROM api_keys AS k WHERE ${isSelectedApiKey(realmId, filters)}
              ORDER BY k.id LIMIT ${apiKeyBatchSize} FOR UPDATE
            )) RETURNING id`,
      );
      if (revoked.length > 0) await this.outbox.publish(accessChanged, { realmId });
      for (const { id } of revoked) {
        await this.audit.record({
          action: 'api-key.revoked',
          actor: operatorActor,
          realmId,
          subject: { api_key_id: id },
        });
      }
      return { changed: revoked.length, more: revoked.length === apiKeyBatchSize };
    });
  }
}
