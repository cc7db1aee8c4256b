import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  accessChanged,
  createProviderApplication,
  Failure,
  operatorActor,
  realmSwitched,
  timestamp,
} from '@registrar/contracts';
import { Database, sql, timestampOf } from '@registrar/persistence';
import { providerSecretPurpose, Sealing } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { AuditLog } from '../audit/audit-log.ts';
import { FindRealm } from '../realms/find-realm.ts';
import { newPostbackSecret } from './postback-secrets.ts';

type Input = InputOf<typeof createProviderApplication>;

const realmRow = z.object({ version: z.number(), at: timestamp.nullable() });
const idRow = z.object({ id: z.number() });
const upsertedRow = z.object({ id: z.number(), isNew: z.boolean(), secretChanged: z.boolean() });

/**
 * Adds a provider application to a realm. If the realm has it already, updates its name, base URL
 * and secret key where they differ. Clients may use the replaced secret key during the overlap.
 */
@Controller()
export class CreateProviderApplication {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly sealing: Sealing,
    private readonly findRealm: FindRealm,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `not-found` for an unknown realm, `invalid` if another realm has it */
  @HandleRequest(createProviderApplication)
  create(input: Input): Promise<ReplyOf<typeof createProviderApplication>> {
    return this.database.transaction(async () => {
      const realmId = await this.findRealm.idByGuid(input.realmGuid);
      await this.pauseInDisabledRealm(realmId, input.appId);
      const changed = await this.upsert(realmId, input);
      if (!changed) return { applicationId: await this.idOf(realmId, input.appId), realmId };
      await this.outbox.publish(accessChanged, { realmId });
      await this.audit.record({
        action: changed.isNew ? 'application.created' : 'application.changed',
        actor: operatorActor,
        realmId,
        subject: {
          application_id: changed.id,
          ...(!changed.isNew && { secret_changed: changed.secretChanged }),
        },
      });
      return { applicationId: changed.id, realmId };
    });
  }

  /** Tells the provider what it could not hear when the realm was disabled; locks the realm's row. */
  private async pauseInDisabledRealm(realmId: number, appId: string): Promise<void> {
    const { version, at } = await this.database.one(
      realmRow,
      sql`SELECT version, ${timestampOf(sql`disabled_at`)} AS at FROM realms
          WHERE id = ${realmId} FOR SHARE`,
    );
    if (at === null) return;
    const event = { realmId, enabled: false, at, version, appIds: [appId] };
    await this.outbox.publish(realmSwitched, event);
  }

  /** Returns null if nothing changed. */
  private upsert(realmId: number, { name, baseUrl, appId, secretKey, overlapSeconds = 0 }: Input) {
    const sealedSecretKey = this.sealing.seal(secretKey, providerSecretPurpose(appId));
    const postbackSecret = newPostbackSecret(this.sealing, appId);
    // A secret is sealed differently each time: only the fingerprint shows whether it changed.
    return this.database.maybeOne(
      upsertedRow,
      sql`INSERT INTO provider_applications AS stored
            (realm_id, name, base_url, app_id, sealed_secret_key, secret_fingerprint,
             sealed_postback_secret, postback_secret_hash)
          VALUES (${realmId}, ${name}, ${baseUrl}, ${appId}, ${sealedSecretKey},
                  ${this.sealing.fingerprint(secretKey)},
                  ${postbackSecret.sealed}, ${postbackSecret.hash})
          ON CONFLICT (app_id) DO UPDATE
          SET name = excluded.name, base_url = excluded.base_url,
              sealed_secret_key = excluded.sealed_secret_key,
              secret_fingerprint = excluded.secret_fingerprint, updated_at = now(),
              secret_generation = stored.secret_generation +
                (stored.secret_fingerprint <> excluded.secret_fingerprint)::integer,
              previous_fingerprint = CASE
                WHEN stored.secret_fingerprint = excluded.secret_fingerprint
                THEN stored.previous_fingerprint ELSE stored.secret_fingerprint END,
              previous_valid_until = CASE
                WHEN stored.secret_fingerprint = excluded.secret_fingerprint
                THEN stored.previous_valid_until
                ELSE now() + make_interval(secs => ${overlapSeconds}) END
          WHERE stored.realm_id = excluded.realm_id
            AND (stored.name, stored.base_url, stored.secret_fingerprint)
              IS DISTINCT FROM (excluded.name, excluded.base_url, excluded.secret_fingerprint)
          RETURNING id, xmax = 0 AS "isNew",
            (SELECT before.secret_fingerprint FROM provider_applications AS before
             WHERE before.id = stored.id) IS DISTINCT FROM stored.secret_fingerprint
              AS "secretChanged"`,
    );
  }

  private async idOf(realmId: number, appId: string): Promise<number> {
    const stored = await this.database.maybeOne(
      idRow,
      sql`SELECT id FROM provider_applications WHERE realm_id = ${realmId} AND app_id = ${appId}`,
    );
    if (!stored) throw new Failure('invalid', 'another realm has this provider application');
    return stored.id;
  }
}
