import { type InputOf, Outbox, type ReplyOf } from '#libs/bus';
import { accessChanged, type createProviderApplication, Failure } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { providerSecretPurpose, Sealing } from '#libs/platform';
import { Injectable } from '@nestjs/common';
import { FindRealm } from '../realms/find-realm.ts';

type Wanted = InputOf<typeof createProviderApplication>;

/**
 * Adds a provider application to a realm. The same again changes nothing; with another name,
 * address or secret key it changes what the realm holds under that application id.
 */
@Injectable()
export class CreateProviderApplication {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly sealing: Sealing,
    private readonly realms: FindRealm,
  ) {}

  /** @throws {Failure} `not-found` for an unknown realm, `invalid` when another realm holds it */
  run(wanted: Wanted): Promise<ReplyOf<typeof createProviderApplication>> {
    return this.database.transaction(async () => {
      const realmId = await this.realms.byGuid(wanted.realmGuid);
      const changed = await this.write(realmId, wanted);
      if (changed === null) {
        return { applicationId: await this.unchanged(realmId, wanted.appId), realmId };
      }
      await this.outbox.publish(accessChanged, { realmId });
      return { applicationId: changed, realmId };
    });
  }

  /** The id of what was made or changed; null when nothing was. */
  private async write(realmId: number, wanted: Wanted): Promise<number | null> {
    const { name, baseUrl, appId, secretKey } = wanted;
    // A secret never seals alike twice: only its fingerprint tells whether it is another one.
    const [row] = await this.database.query<{ id: number }>(
      `INSERT INTO provider_applications AS kept
         (realm_id, name, base_url, app_id, sealed_secret_key, secret_fingerprint)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (app_id) DO UPDATE
       SET name = excluded.name, base_url = excluded.base_url,
           sealed_secret_key = excluded.sealed_secret_key,
           secret_fingerprint = excluded.secret_fingerprint, updated_at = now()
       WHERE kept.realm_id = excluded.realm_id
         AND (kept.name, kept.base_url, kept.secret_fingerprint)
           IS DISTINCT FROM (excluded.name, excluded.base_url, excluded.secret_fingerprint)
       RETURNING id`,
      [
        realmId,
        name,
        baseUrl,
        appId,
        this.sealing.seal(secretKey, providerSecretPurpose(appId)),
        this.sealing.fingerprint(secretKey),
      ],
    );
    return row?.id ?? null;
  }

  private async unchanged(realmId: number, appId: string): Promise<number> {
    const [row] = await this.database.query<{ id: number }>(
      'SELECT id FROM provider_applications WHERE realm_id = $1 AND app_id = $2',
      [realmId, appId],
    );
    if (!row) throw new Failure('invalid', 'another realm holds this provider application');
    return row.id;
  }
}
