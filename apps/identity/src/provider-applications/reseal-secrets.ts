import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { operatorActor, resealSecrets } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { postbackSecretPurpose, providerSecretPurpose, Sealing } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { AuditLog } from '../audit/audit-log.ts';

/** Rows per transaction, which locks them. */
const pageSize = 50;

const secretRow = z.object({
  id: z.number(),
  appId: z.string(),
  sealed: z.string(),
  sealedPostback: z.string(),
});
type SecretRow = z.output<typeof secretRow>;

/**
 * Seals the secrets of provider applications, and computes the fingerprints of their secret keys, with the first
 * master key.
 */
@Controller()
export class ResealSecrets {
  constructor(
    private readonly database: Database,
    private readonly sealing: Sealing,
    private readonly audit: AuditLog,
  ) {}

  @HandleRequest(resealSecrets)
  reseal({ after }: InputOf<typeof resealSecrets>): Promise<ReplyOf<typeof resealSecrets>> {
    return this.database.transaction(async () => {
      const rows = await this.database.many(
        secretRow,
        sql`SELECT id, app_id AS "appId", sealed_secret_key AS sealed,
              sealed_postback_secret AS "sealedPostback"
            FROM provider_applications
            WHERE id > ${after} AND NOT (
              starts_with(sealed_secret_key, ${this.sealing.prefix})
              AND starts_with(sealed_postback_secret, ${this.sealing.prefix})
            )
            ORDER BY id LIMIT ${pageSize} FOR UPDATE`,
      );
      const unopened: number[] = [];
      for (const row of rows) {
        if (!(await this.resealRow(row))) unopened.push(row.id);
      }
      const next = rows.length === pageSize ? (rows.at(-1)?.id ?? null) : null;
      const resealed = rows.length - unopened.length;
      if (resealed > 0) {
        const subject = { secrets: resealed };
        const actor = operatorActor;
        await this.audit.record({ action: 'secrets.resealed', actor, realmId: null, subject });
      }
      return { resealed, unopened, next };
    });
  }

  /** Returns false if no master key opens one of the secrets. */
  private async resealRow({ id, appId, sealed, sealedPostback }: SecretRow): Promise<boolean> {
    const postbackPurpose = postbackSecretPurpose(appId);
    const secret = this.sealing.tryOpen(sealed, providerSecretPurpose(appId));
    const postbackSecret = this.sealing.tryOpen(sealedPostback, postbackPurpose);
    if (secret === null || postbackSecret === null) return false;
    // Callers see no change, so `updated_at` stays and no event is published.
    await this.database.execute(
      sql`UPDATE provider_applications
          SET sealed_secret_key = ${this.sealing.seal(secret, providerSecretPurpose(appId))},
              secret_fingerprint = ${this.sealing.fingerprint(secret)},
              sealed_postback_secret = ${this.sealing.seal(postbackSecret, postbackPurpose)}
          WHERE id = ${id}`,
    );
    return true;
  }
}
