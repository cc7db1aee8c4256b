import { type InputOf } from '#libs/bus';
import { type ApiKeyRecord, type createApiKey, toTimestamp } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { hashSecret, randomApiKeyToken } from '../access/secrets.ts';
import { EnsureUser } from '../users/ensure-user.ts';
import { keyBinding } from './key-binding.ts';

/** How long api keys live (decision 15). */
export interface ApiKeyLifetimes {
  /** Of a key that is bound to a user. */
  readonly userHours: number;
  /** Of any other key. */
  readonly days: number;
}
export const apiKeyLifetimes = Symbol('api key lifetimes');

interface ApiKeyRow {
  id: number;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

/** Makes an api key. Of its token only the hash is kept: it is shown this once. */
@Injectable()
export class CreateApiKey {
  constructor(
    private readonly database: Database,
    private readonly ensureUser: EnsureUser,
    @Inject(apiKeyLifetimes) private readonly lifetimes: ApiKeyLifetimes,
  ) {}

  /** @throws {Failure} what {@link keyBinding} throws */
  async run(input: InputOf<typeof createApiKey>): Promise<ApiKeyRecord> {
    const { scope, userEmail } = input;
    const { realmId } = scope;
    const applicationId = keyBinding(scope, input.applicationId);
    const token = randomApiKeyToken();
    return this.database.transaction(async () => {
      const user = userEmail && (await this.ensureUser.run(realmId, userEmail, 'subscriber'));
      const userId = user?.userId ?? null;
      const row = await this.insert({
        tokenHash: hashSecret(token),
        realmId,
        applicationId,
        userId,
      });
      return {
        id: row.id,
        access_token: token,
        token_type: null,
        created_at: toTimestamp(row.createdAt),
        updated_at: toTimestamp(row.updatedAt),
        expires_at: toTimestamp(row.expiresAt),
        user_id: userId,
        course_provider_id: applicationId,
        realm_id: realmId,
      };
    });
  }

  private async insert(key: {
    tokenHash: Buffer;
    realmId: number;
    applicationId: number | null;
    userId: number | null;
  }): Promise<ApiKeyRow> {
    const { userHours, days } = this.lifetimes;
    const lifetimeHours = key.userId === null ? days * 24 : userHours;
    const [row] = await this.database.query<ApiKeyRow>(
      `INSERT INTO api_keys (token_hash, realm_id, provider_application_id, user_id, expires_at)
       VALUES ($1, $2, $3, $4, now() + $5 * interval '1 hour')
       RETURNING id, created_at AS "createdAt", updated_at AS "updatedAt",
                 expires_at AS "expiresAt"`,
      [key.tokenHash, key.realmId, key.applicationId, key.userId, lifetimeHours],
    );
    if (!row) throw new Error('INSERT answered no row');
    return row;
  }
}
