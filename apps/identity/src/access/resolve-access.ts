import { type AccessScope, type Credentials, type EmailAddress, Failure } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Sealing } from '#libs/platform';
import { Injectable } from '@nestjs/common';
import { reachOf } from './reach.ts';
import { hashSecret, isSameHash } from './secrets.ts';

type PresentedBy<Mode extends Credentials['mode']> = Extract<Credentials, { mode: Mode }>;

/** The ids of all provider applications of the realm that `realmId` names in a query. */
const applicationIdsOf = (realmId: string) =>
  `ARRAY(SELECT of_realm.id FROM provider_applications AS of_realm
         WHERE of_realm.realm_id = ${realmId} ORDER BY of_realm.id)`;

/** PostgreSQL holds no NUL in a text; whatever is named with one is unknown. */
const isName = (text: string) => !text.includes('\0');

const refused = (reason: string) => new Failure('unauthenticated', reason);

/**
 * Tells who is calling (api-v2.md, Authentication). An unknown name and a wrong secret take the
 * same way through a comparison, and only the log tells them apart.
 */
@Injectable()
export class ResolveAccess {
  constructor(
    private readonly database: Database,
    private readonly sealing: Sealing,
  ) {}

  /** @throws {Failure} `unauthenticated`; its message says why and holds nothing presented */
  run(credentials: Credentials): Promise<AccessScope> {
    switch (credentials.mode) {
      case 'realm':
        return this.ofRealmPair(credentials);
      case 'provider':
        return this.ofProviderPair(credentials);
      case 'api_key':
        return this.ofApiKey(credentials);
    }
  }

  private async ofRealmPair({ guid, secretKey }: PresentedBy<'realm'>): Promise<AccessScope> {
    if (!isName(guid)) throw refused('unknown realm');
    const [realm] = await this.database.query<{
      id: number;
      secretHash: Buffer;
      applicationIds: number[];
    }>(
      `SELECT r.id, r.secret_hash AS "secretHash", ${applicationIdsOf('r.id')} AS "applicationIds"
       FROM realms AS r WHERE r.guid = $1`,
      [guid],
    );
    const isRight = isSameHash(hashSecret(secretKey), realm?.secretHash);
    if (!realm) throw refused('unknown realm');
    if (!isRight) throw refused(`wrong secret key for realm ${realm.id}`);
    return reachOf({ mode: 'realm' }, realm);
  }

  private async ofProviderPair({ appId, secretKey }: PresentedBy<'provider'>) {
    if (!isName(appId)) throw refused('unknown provider application');
    const [application] = await this.database.query<{
      id: number;
      realmId: number;
      fingerprint: Buffer;
    }>(
      `SELECT id, realm_id AS "realmId", secret_fingerprint AS fingerprint
       FROM provider_applications WHERE app_id = $1`,
      [appId],
    );
    // Each compared, whichever is right.
    const isRight = this.sealing
      .fingerprints(secretKey)
      .map((fingerprint) => isSameHash(fingerprint, application?.fingerprint))
      .includes(true);
    if (!application) throw refused('unknown provider application');
    const { id, realmId } = application;
    if (!isRight) throw refused(`wrong secret key for provider application ${id}`);
    return reachOf({ mode: 'provider', applicationId: id }, { id: realmId, applicationIds: [id] });
  }

  private async ofApiKey({ token }: PresentedBy<'api_key'>): Promise<AccessScope> {
    const presented = hashSecret(token);
    const [key] = await this.database.query<{
      id: number;
      tokenHash: Buffer;
      realmId: number;
      applicationId: number | null;
      expiresAt: Date;
      isExpired: boolean;
      user: { id: number; email: EmailAddress } | null;
      applicationIds: number[];
    }>(
      `SELECT k.id, k.token_hash AS "tokenHash", k.realm_id AS "realmId",
              k.provider_application_id AS "applicationId",
              k.expires_at AS "expiresAt", k.expires_at <= now() AS "isExpired",
              CASE WHEN u.id IS NOT NULL
                THEN json_build_object('id', u.id, 'email', u.email)
              END AS "user",
              ${applicationIdsOf('k.realm_id')} AS "applicationIds"
       FROM api_keys AS k LEFT JOIN users AS u ON u.id = k.user_id
       WHERE k.token_hash = $1`,
      [presented],
    );
    const isRight = isSameHash(presented, key?.tokenHash);
    if (!key || !isRight) throw refused('unknown api key');
    const { realmId, applicationIds, expiresAt } = key;
    if (key.isExpired) throw refused(`api key ${key.id} expired at ${expiresAt.toISOString()}`);
    return reachOf({ ...key, mode: 'api_key' }, { id: realmId, applicationIds });
  }
}
