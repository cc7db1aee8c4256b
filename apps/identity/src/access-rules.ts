import {
  type AccessScope,
  accessScope,
  allPermissions,
  Failure,
  requireOwnUserOrRealm,
  requirePair,
  requirePermission,
  requireRealmAccess,
  toTimestamp,
} from '@registrar/contracts';
import { sql, type Sql } from '@registrar/persistence';

/** Who may read, create and update realm users (contract/realm-users#realm-access-only). */
export { requireRealmAccess, requireRealmUserUpdate } from '@registrar/contracts';

interface ResolvedPair {
  readonly mode: 'realm' | 'provider';
  /** Null for a realm pair. */
  readonly applicationId: number | null;
  /** Null for the console, which knows no secret key. */
  readonly secretGeneration: number | null;
  /** When a replaced secret key expires; null for the current one. */
  readonly expiresAt: Date | null;
}

interface ResolvedKey extends Pick<AccessScope, 'user' | 'permissions'> {
  readonly mode: 'api_key';
  readonly apiKeyId: number;
  /** The provider application of the key; null for a key of the whole realm. */
  readonly applicationId: number | null;
  readonly expiresAt: Date;
}

/** Valid credentials, as far as their reach depends on them. */
export type ResolvedCredentials = ResolvedPair | ResolvedKey;

/** The realm of valid credentials, all of its provider applications, and its own settings. */
export type RealmContents = Pick<AccessScope, 'applicationIds' | 'limits' | 'compatibility'> & {
  readonly id: number;
};

/**
 * The scope of valid credentials (contract/access#reach). A realm pair reaches the whole realm, a
 * provider pair its application, and an API key what the pair reaches that created it. A user-bound
 * key reaches the user's own data in the same realm or application.
 */
export function accessScopeOf(credentials: ResolvedCredentials, realm: RealmContents): AccessScope {
  const { applicationId, expiresAt } = credentials;
  return accessScope.parse({
    user: null,
    apiKeyId: null,
    permissions: allPermissions,
    secretGeneration: null,
    ...credentials,
    realmId: realm.id,
    applicationIds: applicationId === null ? realm.applicationIds : [applicationId],
    wholeRealm: applicationId === null,
    expiresAt: expiresAt && toTimestamp(expiresAt),
    limits: realm.limits,
    compatibility: realm.compatibility,
  });
}

/**
 * The provider application of an API key that is created within a scope; null for a key of the
 * whole realm. A realm pair may choose an application (contract/api-keys#create-course-provider-id);
 * a provider pair creates keys of its own application.
 *
 * @throws {Failure} `unauthenticated` if the scope is that of an API key
 * (contract/api-keys#create-access), `not-found` for an application outside of the scope
 * (contract/api-keys#create-unknown-provider)
 */
export function applicationOfNewKey(
  scope: AccessScope,
  requestedApplicationId: number | null,
): number | null {
  requirePair(scope);
  if (requestedApplicationId === null) {
    return scope.wholeRealm ? null : (scope.applicationIds[0] ?? null);
  }
  if (!scope.applicationIds.includes(requestedApplicationId)) {
    throw new Failure(
      'not-found',
      `provider application ${requestedApplicationId} is out of reach`,
    );
  }
  return requestedApplicationId;
}

/**
 * SQL condition on `realm_users AS ru`: the user is in the realm of the scope. A user-bound key reaches its own
 * user only, whose custom data it merges (contract/realm-users#gcustom-access).
 *
 * @throws {Failure} `unauthenticated` for any other access that is not to the whole realm
 */
export function isRealmUserInScope(scope: AccessScope): Sql {
  requireOwnUserOrRealm(scope);
  const isOfRealm = sql`ru.realm_id = ${scope.realmId}`;
  return scope.user ? sql`${isOfRealm} AND ru.public_user_id = ${scope.user.id}` : isOfRealm;
}

/**
 * The API key that a scope deletes. Every key may delete itself (contract/api-keys#delete-own); the
 * other keys of a realm need realm access (contract/api-keys#delete-access) and, with an API key, the
 * permission `write`.
 *
 * @param requestedId the key that the request names; null if it names none
 * @throws {Failure} `unauthenticated` for another key without these, and when neither the
 * request nor the scope names a key
 */
export function keyToDelete(scope: AccessScope, requestedId: number | null): number {
  const { apiKeyId } = scope;
  if (apiKeyId !== null && (requestedId ?? apiKeyId) === apiKeyId) return apiKeyId;
  if (requestedId === null) throw new Failure('unauthenticated', 'the access is no API key');
  requireRealmAccess(scope);
  requirePermission(scope, 'write');
  return requestedId;
}

/**
 * The API key that a scope renews: its own (contract/api-keys#renew-access), or one that the console names, with realm
 * access and the permission `write`.
 *
 * @throws {Failure} `unauthenticated`
 */
export function keyToRenew(scope: AccessScope, requestedId: number | undefined): number {
  if (requestedId === undefined) {
    if (scope.apiKeyId === null) throw new Failure('unauthenticated', 'the access is no API key');
    return scope.apiKeyId;
  }
  requireRealmAccess(scope);
  requirePermission(scope, 'write');
  return requestedId;
}

/** SQL condition: the row of `provider_applications AS a` is in the scope (contract/access#reach). */
export const isApplicationInScope = (scope: AccessScope): Sql =>
  sql`a.realm_id = ${scope.realmId} AND a.id = ANY (${scope.applicationIds})`;
