import { HandleRequest, type InputOf, Outbox } from '@registrar/bus';
import {
  accessChanged,
  type ApiKeyRecordWithoutToken,
  auditActorOf,
  deleteApiKey,
  Failure,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { keyToDelete } from '../access-rules.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { apiKeyColumns, apiKeyRow, toApiKeyRecord } from './api-key-record.ts';

/** Deletes an API key for its bearer or for its realm (contract/api-keys#delete). */
@Controller()
export class DeleteApiKey {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `not-found` when the realm has no such key; see {@link keyToDelete} */
  @HandleRequest(deleteApiKey)
  delete({ scope, apiKeyId }: InputOf<typeof deleteApiKey>): Promise<ApiKeyRecordWithoutToken> {
    const { realmId } = scope;
    const id = keyToDelete(scope, apiKeyId);
    return this.database.transaction(async () => {
      const row = await this.database.maybeOne(
        apiKeyRow,
        sql`DELETE FROM api_keys WHERE id = ${id} AND realm_id = ${realmId}
            RETURNING ${apiKeyColumns}`,
      );
      if (!row) throw new Failure('not-found', `the realm has no API key ${id}`);
      await this.outbox.publish(accessChanged, { realmId });
      await this.audit.record({
        action: 'api-key.revoked',
        actor: auditActorOf(scope),
        realmId,
        subject: { api_key_id: id },
      });
      return toApiKeyRecord(row);
    });
  }
}
