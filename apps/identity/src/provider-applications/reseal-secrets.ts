import { type InputOf, type ReplyOf } from '#libs/bus';
import { type resealSecrets } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { providerSecretPurpose, Sealing } from '#libs/platform';
import { Injectable } from '@nestjs/common';

/** How many secrets one transaction seals anew: it holds up whoever changes one of them. */
const atOnce = 50;

/** Brings provider secrets, and what they are recognised by, under the first master key. */
@Injectable()
export class ResealSecrets {
  constructor(
    private readonly database: Database,
    private readonly sealing: Sealing,
  ) {}

  run({ after }: InputOf<typeof resealSecrets>): Promise<ReplyOf<typeof resealSecrets>> {
    return this.database.transaction(async () => {
      const rows = await this.database.query<{ id: number; appId: string; sealed: string }>(
        `SELECT id, app_id AS "appId", sealed_secret_key AS sealed FROM provider_applications
         WHERE id > $1 AND NOT starts_with(sealed_secret_key, $2)
         ORDER BY id LIMIT ${atOnce} FOR UPDATE`,
        [after, this.sealing.prefix],
      );
      const unopened: number[] = [];
      for (const { id, appId, sealed } of rows) {
        const purpose = providerSecretPurpose(appId);
        const secret = this.opened(sealed, purpose);
        if (secret === null) unopened.push(id);
        else {
          // Nobody's view of the application changes: neither its date nor an event says so.
          await this.database.query(
            `UPDATE provider_applications SET sealed_secret_key = $2, secret_fingerprint = $3
             WHERE id = $1`,
            [id, this.sealing.seal(secret, purpose), this.sealing.fingerprint(secret)],
          );
        }
      }
      const next = rows.length === atOnce ? (rows.at(-1)?.id ?? null) : null;
      return { resealed: rows.length - unopened.length, unopened, next };
    });
  }

  private opened(sealed: string, purpose: string): string | null {
    try {
      return this.sealing.open(sealed, purpose);
    } catch {
      return null;
    }
  }
}
