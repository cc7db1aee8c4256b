import { type EmailAddress } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { hashSecret, randomApiKeyToken } from '../access/secrets.ts';
import { EnsureUser } from '../users/ensure-user.ts';

/** How long api keys live (decision 15). */
export interface ApiKeyLifetimes {
  /** Of a key that is bound to a user. */
  readonly userHours: number;
  /** Of any other key. */
  readonly days: number;
}
export const apiKeyLifetimes = Symbol('api key lifetimes');

/** What a new api key reaches: a realm, or a part of it. */
export interface ApiKeyReach {
  readonly realmId: number;
  /** Null for the whole realm. */
  readonly applicationId: number | null;
  /** Null for a key that is bound to no user. */
  readonly userEmail: EmailAddress | null;
}

export interface MintedApiKey {
  readonly id: number;
  /** Shown this once: only its hash is kept. */
  readonly token: string;
  readonly user: { readonly userId: number; readonly email: EmailAddress } | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
}

/** Makes api keys. A new e-mail address becomes a subscriber of the realm by it. */
@Injectable()
export class MintApiKey {
  constructor(
    private readonly database: Database,
    private readonly ensureUser: EnsureUser,
    @Inject(apiKeyLifetimes) private readonly lifetimes: ApiKeyLifetimes,
  ) {}

  run({ realmId, applicationId, userEmail }: ApiKeyReach): Promise<MintedApiKey> {
    const { userHours, days } = this.lifetimes;
    const lifetimeHours = userEmail === null ? days * 24 : userHours;
    const token = randomApiKeyToken();
    return this.database.transaction(async () => {
      const user = userEmail && (await this.ensureUser.run(realmId, userEmail, 'subscriber'));
      const [row] = await this.database.query<Omit<MintedApiKey, 'token' | 'user'>>(
        `INSERT INTO api_keys (token_hash, realm_id, provider_application_id, user_id, expires_at)
         VALUES ($1, $2, $3, $4, now() + $5 * interval '1 hour')
         RETURNING id, created_at AS "createdAt", updated_at AS "updatedAt",
                   expires_at AS "expiresAt"`,
        [hashSecret(token), realmId, applicationId, user?.userId ?? null, lifetimeHours],
      );
      if (!row) throw new Error('INSERT answered no row');
      return { ...row, token, user };
    });
  }
}
