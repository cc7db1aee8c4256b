import {
  type ApiKeyLimits,
  apiKeyRecordWithoutToken,
  type AuditActor,
  type EmailAddress,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { hashSecret, randomApiKeyToken } from '../access/secrets.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { EnsureUsers, type RealmMember } from '../users/ensure-users.ts';
import { userIdOf } from '../users/membership.ts';
import { type ApiKeyLifetimes, apiKeyLifetimes, lifetimeHoursOf } from './api-key-lifetimes.ts';
import { apiKeyColumns } from './api-key-record.ts';

const insertedRow = apiKeyRecordWithoutToken.extend({ expires_at: z.string() });

/** The realm of a new API key, and its restrictions. */
export interface NewApiKey extends ApiKeyLimits {
  /** Who creates it. */
  readonly actor: AuditActor;
  readonly realmId: number;
  /** Null for a key of the whole realm. */
  readonly applicationId: number | null;
  /** Null for a key that is not bound to a user. */
  readonly userEmail: EmailAddress | null;
}

/** A new API key, and the user that it is bound to. */
export interface InsertedApiKey {
  readonly record: z.output<typeof insertedRow>;
  /** Returned this once: only its hash is stored (contract/api-keys#shown-once). */
  readonly token: string;
  readonly user: RealmMember | null;
}

/** Inserts API keys. The user of an unknown address becomes a subscriber of the realm. */
@Injectable()
export class InsertApiKey {
  constructor(
    private readonly database: Database,
    private readonly ensureUsers: EnsureUsers,
    private readonly audit: AuditLog,
    @Inject(apiKeyLifetimes) private readonly lifetimes: ApiKeyLifetimes,
  ) {}

  insert(key: NewApiKey): Promise<InsertedApiKey> {
    const { actor, realmId, applicationId, userEmail, permissions, lifetimeHours } = key;
    const isUserBound = userEmail !== null;
    const hours = lifetimeHoursOf(this.lifetimes, { isUserBound, lifetimeHours });
    const token = randomApiKeyToken(isUserBound ? 'bound' : 'unbound');
    return this.database.transaction(async () => {
      const user =
        userEmail && (await this.ensureUsers.ensureOne(realmId, userEmail, 'subscriber'));
      const record = await this.database.one(
        insertedRow,
        sql`INSERT INTO api_keys
              (token_hash, realm_id, provider_application_id, user_id, permissions, lifetime_hours,
               expires_at)
            VALUES (${hashSecret(token)}, ${realmId}, ${applicationId},
                    ${userIdOf(realmId, user?.userId ?? null)}, ${permissions}, ${lifetimeHours},
                    now() + ${hours} * interval '1 hour')
            RETURNING ${apiKeyColumns}`,
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
    });
  }
}
