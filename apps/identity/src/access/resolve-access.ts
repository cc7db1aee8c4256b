import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  type Credentials,
  emailAddress,
  Failure,
  realmCompatibility,
  realmLimits,
  permission,
  resolveAccess,
} from '@registrar/contracts';
import { Database, type Sql, sql } from '@registrar/persistence';
import { Sealing } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { accessScopeOf } from '../access-rules.ts';
import { ApiKeyUses } from '../api-keys/api-key-uses.ts';
import { hashSecret, isSameHash } from './secrets.ts';

type Scope = ReplyOf<typeof resolveAccess>;
type CredentialsOf<Mode extends Credentials['mode']> = Extract<Credentials, { mode: Mode }>;

const hash = z.instanceof(Buffer);
const realmSettings = {
  limits: realmLimits.nullable(),
  compatibility: realmCompatibility.nullable(),
};
const isDisabled = z.boolean();
const pairRow = z.object({
  id: z.number(),
  /** What a presented secret key is compared with. */
  secret: hash,
  previousSecret: hash.nullable(),
  previousUntil: z.date().nullable(),
  secretGeneration: z.number(),
  /** Whether the previous secret key is still accepted. */
  isOverlap: z.boolean(),
  isDisabled,
  ...realmSettings,
});
const realmRow = pairRow.extend({ applicationIds: z.array(z.number()) });
const applicationRow = pairRow.extend({ realmId: z.number() });
const apiKeyRow = z.object({
  id: z.number(),
  realmId: z.number(),
  applicationId: z.number().nullable(),
  permissions: z.array(permission),
  expiresAt: z.date(),
  isExpired: z.boolean(),
  lastUsedAt: z.date().nullable(),
  user: z.object({ id: z.number(), email: emailAddress }).nullable(),
  applicationIds: z.array(z.number()),
  isDisabled,
  ...realmSettings,
});

/** SQL expression: the ids of all provider applications of a realm. */
export const applicationIdsOf = (realmId: Sql) =>
  sql`ARRAY(SELECT of_realm.id FROM provider_applications AS of_realm
            WHERE of_realm.realm_id = ${realmId} ORDER BY of_realm.id)`;

/** PostgreSQL texts cannot contain NUL, so no record has such a name. */
const canBeStored = (name: string) => !name.includes('\0');

/** @throws {Failure} `unauthenticated` (contract/access#disabled-realm) */
export function requireEnabled(
  realmId: number,
  { isDisabled }: { readonly isDisabled: boolean },
): void {
  if (isDisabled) throw noLongerValid(`realm ${realmId} is disabled`);
}

const unauthenticated = (reason: string) => new Failure('unauthenticated', reason);

/** For credentials that are genuine: to send them is no guess (contract/access#guessing). */
const noLongerValid = (reason: string) =>
  new Failure('unauthenticated', reason, undefined, { credentialsKnown: true });

/**
 * Returns until when the secret key of a pair is accepted, and which one it is.
 *
 * @throws {Failure} `unauthenticated` for a wrong secret key, and after the overlap of a previous one
 */
function acceptSecret(
  pair: z.output<typeof pairRow>,
  { isCurrent, isPrevious }: { readonly isCurrent: boolean; readonly isPrevious: boolean },
  owner: string,
) {
  if (!isCurrent && !isPrevious) throw unauthenticated(`wrong secret key for ${owner}`);
  if (!isCurrent && !pair.isOverlap) {
    throw noLongerValid(`the previous secret key of ${owner} has expired`);
  }
  return {
    secretGeneration: pair.secretGeneration - Number(!isCurrent),
    expiresAt: isCurrent ? null : pair.previousUntil,
  };
}

/**
 * Resolves credentials to their scope (contract/access#modes). An unknown name takes the same time
 * as a wrong secret, and only the log distinguishes them (contract/access#cause-of-401).
 */
@Controller()
export class ResolveAccess {
  constructor(
    private readonly database: Database,
    private readonly sealing: Sealing,
    private readonly apiKeyUses: ApiKeyUses,
  ) {}

  /** @throws {Failure} `unauthenticated`; its message contains nothing of the credentials */
  @HandleRequest(resolveAccess)
  async resolve({ credentials }: InputOf<typeof resolveAccess>): Promise<Scope> {
    switch (credentials.mode) {
      case 'realm':
        return this.resolveRealmPair(credentials);
      case 'provider':
        return this.resolveProviderPair(credentials);
      case 'api_key':
        return this.resolveApiKey(credentials);
    }
  }

  private async resolveRealmPair({ guid, secretKey }: CredentialsOf<'realm'>): Promise<Scope> {
    if (!canBeStored(guid)) throw unauthenticated('unknown realm');
    const realm = await this.database.maybeOne(
      realmRow,
      sql`SELECT r.id, r.secret_hash AS secret, r.limits, r.compatibility,
                 r.disabled_at IS NOT NULL AS "isDisabled",
                 r.previous_secret_until AS "previousUntil",
                 r.secret_generation AS "secretGeneration",
                 r.previous_secret_hash AS "previousSecret",
                 coalesce(r.previous_secret_until > now(), false) AS "isOverlap",
                 ${applicationIdsOf(sql`r.id`)} AS "applicationIds"
          FROM realms AS r WHERE r.guid = ${guid}`,
    );
    const secretHash = hashSecret(secretKey);
    const isCurrent = isSameHash(secretHash, realm?.secret);
    const isPrevious = isSameHash(secretHash, realm?.previousSecret ?? undefined);
    if (!realm) throw unauthenticated('unknown realm');
    const accepted = acceptSecret(realm, { isCurrent, isPrevious }, `realm ${realm.id}`);
    requireEnabled(realm.id, realm);
    return accessScopeOf({ mode: 'realm', applicationId: null, ...accepted }, realm);
  }

  private async resolveProviderPair(credentials: CredentialsOf<'provider'>): Promise<Scope> {
    const { appId, secretKey } = credentials;
    if (!canBeStored(appId)) throw unauthenticated('unknown provider application');
    const application = await this.database.maybeOne(
      applicationRow,
      sql`SELECT a.id, a.realm_id AS "realmId", a.secret_fingerprint AS secret, r.limits, r.compatibility,
                 a.previous_fingerprint AS "previousSecret",
                 a.previous_valid_until AS "previousUntil",
                 coalesce(a.previous_valid_until > now(), false) AS "isOverlap",
                 a.secret_generation AS "secretGeneration",
                 r.disabled_at IS NOT NULL AS "isDisabled"
          FROM provider_applications AS a JOIN realms AS r ON r.id = a.realm_id
          WHERE a.app_id = ${appId}`,
    );
    // Compares the fingerprints of all master keys, so that the time does not depend on which one matches.
    const fingerprints = this.sealing.fingerprints(secretKey);
    const matches = (stored: Buffer | null | undefined) =>
      fingerprints.map((each) => isSameHash(each, stored ?? undefined)).includes(true);
    const isCurrent = matches(application?.secret);
    const isPrevious = matches(application?.previousSecret);
    if (!application) throw unauthenticated('unknown provider application');
    const { id, realmId, limits, compatibility } = application;
    const owner = `provider application ${id}`;
    const accepted = acceptSecret(application, { isCurrent, isPrevious }, owner);
    requireEnabled(realmId, application);
    // Stryker disable next-line ArrayDeclaration: accessScopeOf takes the application from the credentials
    const realm = { id: realmId, applicationIds: [id], limits, compatibility };
    return accessScopeOf({ mode: 'provider', applicationId: id, ...accepted }, realm);
  }

  private async resolveApiKey({ token }: CredentialsOf<'api_key'>): Promise<Scope> {
    const key = await this.database.maybeOne(
      apiKeyRow,
      sql`SELECT k.id, k.realm_id AS "realmId",
                 k.provider_application_id AS "applicationId",
                 k.permissions, k.expires_at AS "expiresAt", k.expires_at <= now() AS "isExpired",
                 k.last_used_at AS "lastUsedAt",
                 r.limits, r.compatibility, r.disabled_at IS NOT NULL AS "isDisabled",
                 CASE WHEN ru.id IS NOT NULL
                   THEN json_build_object('id', ru.public_user_id, 'email', ru.email)
                 END AS "user",
                 ${applicationIdsOf(sql`k.realm_id`)} AS "applicationIds"
          FROM api_keys AS k
          JOIN realms AS r ON r.id = k.realm_id
          LEFT JOIN realm_users AS ru ON ru.realm_id = k.realm_id AND ru.user_id = k.user_id
          WHERE k.token_hash = ${hashSecret(token)}`,
    );
    if (!key) throw unauthenticated('unknown API key');
    const { realmId, applicationIds, limits, compatibility, expiresAt } = key;
    if (key.isExpired) {
      throw noLongerValid(`API key ${key.id} expired at ${expiresAt.toISOString()}`);
    }
    requireEnabled(realmId, key);
    await this.apiKeyUses.note(key);
    const credentials = { ...key, mode: 'api_key', apiKeyId: key.id } as const;
    return accessScopeOf(credentials, { id: realmId, applicationIds, limits, compatibility });
  }
}
