import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { accessChanged, Failure, operatorActor, revokeApiKey } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { AuditLog } from '../audit/audit-log.ts';

const deletedRow = z.object({ realmId: z.number() });

/** Deletes an API key, which is invalid at once. */
@Controller()
export class RevokeApiKey {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(revokeApiKey)
  revoke({ apiKeyId }: InputOf<typeof revokeApiKey>): Promise<ReplyOf<typeof revokeApiKey>> {
    return this.database.transaction(async () => {
      // One statement, so that of concurrent revocations only one finds the key.
      const key = await this.database.maybeOne(
        deletedRow,
        sql`DELETE FROM api_keys WHERE id = ${apiKeyId} RETURNING realm_id AS "realmId"`,
      );
      if (!key) throw new Failure('not-found', `no API key ${apiKeyId}`);
      await this.outbox.publish(accessChanged, { realmId: key.realmId });
      await this.audit.record({
        action: 'api-key.revoked',
        actor: operatorActor,
        realmId: key.realmId,
        subject: { api_key_id: apiKeyId },
      });
      return {};
    });
  }
}
