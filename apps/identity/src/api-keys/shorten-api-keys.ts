import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  accessChanged,
  Failure,
  operatorActor,
  shortenApiKey,
  shortenApiKeys,
  timestamp,
} from '@registrar/contracts';
import { Database, sql, type Sql, timestampOf } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { AuditLog } from '../audit/audit-log.ts';
import { FindRealm } from '../realms/find-realm.ts';
import { apiKeyBatchSize, isSelectedApiKey } from './selected-api-keys.ts';

const shortenedRow = z.object({ id: z.number(), realmId: z.number(), expires_at: timestamp });

/** Lets API keys expire earlier for the operator; renewing them does not change that. */
@Controller()
export class ShortenApiKeys {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
    private readonly findRealm: FindRealm,
  ) {}

  /** @throws {Failure} `not-found` for a key that does not exist, or has expired */
  @HandleRequest(shortenApiKey)
  shortenOne(input: InputOf<typeof shortenApiKey>): Promise<ReplyOf<typeof shortenApiKey>> {
    const { apiKeyId, inSeconds } = input;
    return this.database.transaction(async () => {
      await this.shorten(sql`k.id = ${apiKeyId} AND k.expires_at > now()`, inSeconds);
      const key = await this.database.maybeOne(
        shortenApiKey.reply,
        sql`SELECT ${timestampOf(sql`expires_at`)} AS expires_at FROM api_keys
            WHERE id = ${apiKeyId} AND ends_at IS NOT NULL`,
      );
      if (!key) throw new Failure('not-found', `no API key ${apiKeyId}`);
      return key;
    });
  }

  /** @throws {Failure} `not-found` for an unknown realm */
  @HandleRequest(shortenApiKeys)
  shortenMany(input: InputOf<typeof shortenApiKeys>): Promise<ReplyOf<typeof shortenApiKeys>> {
    const { realmGuid, inSeconds, ...filters } = input;
    return this.database.transaction(async () => {
      const realmId = await this.findRealm.idByGuid(realmGuid);
      const changed = await this.shorten(isSelectedApiKey(realmId, filters), inSeconds);
      return { changed, more: changed === apiKeyBatchSize };
    });
  }

  /** @returns how many keys have an earlier end now, at most {@link apiKeyBatchSize} */
  private async shorten(isSelected: Sql, inSeconds: number): Promise<number> {
    const end = sql`now() + ${inSeconds} * interval '1 second'`;
    const shortened = await this.database.many(
      shortenedRow,
      sql`UPDATE api_keys
          SET expires_at = least(expires_at, ${end}), ends_at = ${end}, updated_at = now()
          WHERE id = ANY (ARRAY(
            SELECT k.id FROM api_keys AS k
            WHERE ${isSelected} AND (k.ends_at IS NULL OR k.ends_at > ${end})
            ORDER BY k.id LIMIT ${apiKeyBatchSize} FOR UPDATE
          )) RETURNING id, realm_id AS "realmId", ${timestampOf(sql`expires_at`)} AS expires_at`,
    );
    for (const { id, realmId, expires_at } of shortened) {
      await this.audit.record({
        action: 'api-key.shortened',
        actor: operatorActor,
        realmId,
        subject: { api_key_id: id, expires_at },
      });
    }
    for (const realmId of new Set(shortened.map((key) => key.realmId))) {
      await this.outbox.publish(accessChanged, { realmId });
    }
    return shortened.length;
  }
}
