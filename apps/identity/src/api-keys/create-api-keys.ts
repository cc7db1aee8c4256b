import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  accessChanged,
  type ApiKeyRecord,
  apiKeyRecordWithoutToken,
  type AuditActor,
  auditActorOf,
  createApiKey,
  Failure,
  isBright,
  issueApiKey,
  operatorActor,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller, Inject } from '@nestjs/common';
import * as z from 'zod';
import { requireCurrentSecret } from '../access/require-current-secret.ts';
import { hashSecret, randomApiKeyToken } from '../access/secrets.ts';
import { applicationOfNewKey } from '../access-rules.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { FindRealm } from '../realms/find-realm.ts';
import { type IdentitySettings, identitySettingsToken } from '../settings.ts';
import { EnsureUsers } from '../users/ensure-users.ts';
import { apiKeyColumns } from './api-key-record.ts';
import { lifetimeHoursOf } from './lifetime-hours.ts';

const insertedRow = apiKeyRecordWithoutToken.extend({ expires_at: z.string() });
const idRow = z.object({ id: z.number() });

/** The restrictions of a new API key. */
type NewApiKey = Omit<InputOf<typeof createApiKey>, 'scope'>;

/**
 * Creates API keys for callers and for the operator. The user of an unknown address becomes a subscriber of the
 * realm.
 */
@Controller()
export class CreateApiKeys {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly findRealm: FindRealm,
    private readonly ensureUsers: EnsureUsers,
    private readonly audit: AuditLog,
    @Inject(identitySettingsToken) private readonly settings: IdentitySettings,
  ) {}

  /**
   * Creates an API key for a caller with a realm or provider pair (contract/api-keys#create).
   *
   * @throws {Failure} see {@link applicationOfNewKey} and {@link requireCurrentSecret}
   */
  @HandleRequest(createApiKey)
  async create({ scope, ...wanted }: InputOf<typeof createApiKey>): Promise<ApiKeyRecord> {
    const applicationId = applicationOfNewKey(scope, wanted.applicationId);
    const { record, token } = await this.database.transaction(async () => {
      await requireCurrentSecret(this.database, scope);
      return this.insert(auditActorOf(scope), scope.realmId, { ...wanted, applicationId }, scope);
    });
    return { ...record, access_token: token };
  }

  /**
   * Creates an API key for the operator, who names the realm and needs no secret of it.
   *
   * @throws {Failure} `not-found` for an unknown realm, or an application of another realm
   */
  @HandleRequest(issueApiKey)
  issue(input: InputOf<typeof issueApiKey>): Promise<ReplyOf<typeof issueApiKey>> {
    const { realmGuid, ...wanted } = input;
    return this.database.transaction(async () => {
      const realmId = await this.findRealm.idByGuid(realmGuid);
      await this.requireApplication(realmId, wanted.applicationId);
      const { record, token, user } = await this.insert(operatorActor, realmId, wanted, null);
      await this.outbox.publish(accessChanged, { realmId });
      const summary = {
        id: record.id,
        realm_guid: realmGuid,
        course_provider_id: wanted.applicationId,
        user_email: user?.email ?? null,
        permissions: wanted.permissions,
        created_at: record.created_at,
        last_used_at: null,
        expires_at: record.expires_at,
      };
      return { summary, token };
    });
  }

  private async requireApplication(realmId: number, id: number | null): Promise<void> {
    if (id === null) return;
    const application = await this.database.maybeOne(
      idRow,
      sql`SELECT id FROM provider_applications WHERE realm_id = ${realmId} AND id = ${id}`,
    );
    if (!application) {
      throw new Failure('not-found', `the realm has no provider application ${id}`);
    }
  }

  /** The token is returned this once: only its hash is stored (contract/api-keys#shown-once). */
  private async insert(
    actor: AuditActor,
    realmId: number,
    key: NewApiKey,
    scope: AccessScope | null,
  ) {
    const { applicationId, userEmail, permissions, lifetimeHours } = key;
    const isUserBound = userEmail !== null;
    const hours = lifetimeHoursOf(this.settings, { isUserBound, lifetimeHours });
    const length = scope && isBright(scope) ? 'short' : 'full';
    const token = randomApiKeyToken(isUserBound ? 'bound' : 'unbound', length);
    const user = userEmail && (await this.ensureUsers.ensureOne(realmId, userEmail, 'subscriber'));
    const record = await this.database.one(
      insertedRow,
      sql`INSERT INTO api_keys
            (token_hash, realm_id, provider_application_id, user_id, permissions, lifetime_hours,
             expires_at)
          VALUES (${hashSecret(token)}, ${realmId}, ${applicationId},
                  (SELECT ru.user_id FROM realm_users AS ru
                   WHERE ru.realm_id = ${realmId} AND ru.public_user_id = ${user?.userId ?? null}),
                  ${permissions}, ${lifetimeHours}, now() + ${hours} * interval '1 hour')
          RETURNING ${apiKeyColumns(scope)}`,
    );
    await this.audit.record({
      action: 'api-key.created',
      actor,
      realmId,
      subject: {
        api_key_id: record.id,
        application_id: applicationId,
        user_id: record.user_id,
        permissions: permissions.join(','),
      },
    });
    return { record, token, user };
  }
}
