import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  accessChanged,
  type ApiKeyRecordWithoutToken,
  apiKeyRecordWithoutToken,
  type AuditActor,
  auditActorOf,
  deleteApiKey,
  Failure,
  operatorActor,
  revokeApiKey,
  revokeApiKeys,
} from '@registrar/contracts';
import { Database, sql, type Sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { keyToDelete } from '../access-rules.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { FindRealm } from '../realms/find-realm.ts';
import { apiKeyColumns } from './api-key-record.ts';
import { apiKeyBatchSize, isSelectedApiKey } from './selected-api-keys.ts';

/** Deletes API keys for callers and for the operator. They are invalid at once. */
@Controller()
export class RevokeApiKeys {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
    private readonly findRealm: FindRealm,
  ) {}

  /**
   * Deletes an API key for its bearer or for its realm (contract/api-keys#delete).
   *
   * @throws {Failure} `not-found` when the realm has no such key; see {@link keyToDelete}
   */
  @HandleRequest(deleteApiKey)
  deleteOne({ scope, apiKeyId }: InputOf<typeof deleteApiKey>): Promise<ApiKeyRecordWithoutToken> {
    const id = keyToDelete(scope, apiKeyId);
    return this.database.transaction(async () => {
      const isKey = sql`id = ${id} AND realm_id = ${scope.realmId}`;
      const [deleted] = await this.delete(isKey, auditActorOf(scope), scope);
      if (!deleted) throw new Failure('not-found', `the realm has no API key ${id}`);
      return deleted;
    });
  }

  /** @throws {Failure} `not-found` */
  @HandleRequest(revokeApiKey)
  revokeOne({ apiKeyId }: InputOf<typeof revokeApiKey>): Promise<ReplyOf<typeof revokeApiKey>> {
    return this.database.transaction(async () => {
      const [revoked] = await this.delete(sql`id = ${apiKeyId}`, operatorActor);
      if (!revoked) throw new Failure('not-found', `no API key ${apiKeyId}`);
      return {};
    });
  }

  /** @throws {Failure} `not-found` for an unknown realm */
  @HandleRequest(revokeApiKeys)
  revokeMany(input: InputOf<typeof revokeApiKeys>): Promise<ReplyOf<typeof revokeApiKeys>> {
    const { realmGuid, ...filters } = input;
    return this.database.transaction(async () => {
      const realmId = await this.findRealm.idByGuid(realmGuid);
      const isSelected = sql`realm_id = ${realmId} AND id = ANY (ARRAY(
        SELECT k.id FROM api_keys AS k WHERE ${isSelectedApiKey(realmId, filters)}
        ORDER BY k.id LIMIT ${apiKeyBatchSize} FOR UPDATE
      ))`;
      const revoked = await this.delete(isSelected, operatorActor);
      return { changed: revoked.length, more: revoked.length === apiKeyBatchSize };
    });
  }

  /**
   * Deletes API keys of one realm by one statement, so that of concurrent requests only one finds a key.
   *
   * @param condition SQL on `api_keys`
   * @param scope that of the client that gets the records; null for the operator
   */
  private async delete(
    condition: Sql,
    actor: AuditActor,
    scope: AccessScope | null = null,
  ): Promise<ApiKeyRecordWithoutToken[]> {
    const deleted = await this.database.many(
      apiKeyRecordWithoutToken,
      sql`DELETE FROM api_keys WHERE ${condition} RETURNING ${apiKeyColumns(scope)}`,
    );
    const realmId = deleted[0]?.realm_id;
    if (realmId === undefined) return deleted;
    await this.outbox.publish(accessChanged, { realmId });
    for (const { id } of deleted) {
      const subject = { api_key_id: id };
      await this.audit.record({ action: 'api-key.revoked', actor, realmId, subject });
    }
    return deleted;
  }
}
