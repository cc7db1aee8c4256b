import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { accessChanged, operatorActor, rotateRealmSecret } from '@registrar/contracts';
import { Database, sql, timestampOf } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { hashSecret, randomSecret } from '../access/secrets.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { FindRealm } from './find-realm.ts';

const rotatedRow = rotateRealmSecret.reply.pick({ previousUntil: true });

/**
 * Replaces the secret key of a realm. The key before is accepted until the overlap ends. Keys of
 * earlier rotations are invalid at once, also within their overlap. API keys stay valid unless the
 * operator ends them.
 */
@Controller()
export class RotateRealmSecret {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly findRealm: FindRealm,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(rotateRealmSecret)
  rotate(input: InputOf<typeof rotateRealmSecret>): Promise<ReplyOf<typeof rotateRealmSecret>> {
    const { realmGuid, overlapSeconds, endKeys } = input;
    const realmSecretKey = randomSecret();
    return this.database.transaction(async () => {
      const realmId = await this.findRealm.idByGuid(realmGuid);
      const { previousUntil } = await this.database.one(
        rotatedRow,
        sql`UPDATE realms
            SET secret_hash = ${hashSecret(realmSecretKey)},
                secret_generation = secret_generation + 1,
                previous_secret_hash = CASE WHEN ${overlapSeconds} > 0 THEN secret_hash END,
                previous_secret_until =
                  CASE WHEN ${overlapSeconds} > 0
                    THEN now() + ${overlapSeconds} * interval '1 second'
                  END
            WHERE id = ${realmId}
            RETURNING ${timestampOf(sql`previous_secret_until`)} AS "previousUntil"`,
      );
      const revokedKeys = endKeys ? await this.endKeys(realmId) : 0;
      await this.outbox.publish(accessChanged, { realmId });
      await this.audit.record({
        action: 'realm.secret-rotated',
        actor: operatorActor,
        realmId,
        subject: {
          overlap_seconds: overlapSeconds,
          keys_ended: endKeys,
          revoked_keys: revokedKeys,
        },
      });
      return { realmGuid, realmSecretKey, previousUntil, revokedKeys };
    });
  }

  /**
   * The realm's row is locked: no key of the earlier secret is inserted after this
   * (`requireCurrentSecret`). Keys are locked by their ids, as `ApiKeyUses` does.
   */
  private endKeys(realmId: number): Promise<number> {
    return this.database.execute(
      sql`DELETE FROM api_keys WHERE realm_id = ${realmId} AND id IN (
            SELECT id FROM api_keys WHERE realm_id = ${realmId} ORDER BY id FOR UPDATE
          )`,
    );
  }
}
