import type { AccessScope, Permission } from './access.ts';
import { allowsUserLicenses, isBright } from './compatibility.ts';
import { Failure } from './failure.ts';

/*
 * What operations require of the access scope. The context that does the work decides by these
 * functions, from its access-rules.ts; the gateway calls them before it checks parameters, so that
 * 401 precedes 500 (contract/errors#order-of-checks). Each throws the failure `unauthenticated` for a
 * scope that does not meet it.
 */

/** Requires a permission (contract/api-keys#permissions); null requires none. */
export function requirePermission(
  { permissions }: Pick<AccessScope, 'permissions'>,
  permission: Permission | null,
): void {
  if (permission === null || permissions.includes(permission)) return;
  throw new Failure('unauthenticated', `the API key has no permission to ${permission}`);
}

/** Requires a realm pair, or an API key made from one, user-bound keys included. */
export function requireWholeRealm(scope: AccessScope): void {
  if (!scope.wholeRealm) {
    throw new Failure('unauthenticated', 'the access does not reach the whole realm');
  }
}

/** Requires a pair, or an API key that is not bound to a user. */
export function requireUnbound(scope: AccessScope): void {
  if (scope.user) throw new Failure('unauthenticated', 'the API key is bound to a user');
}

/**
 * Requires a realm pair, or an unbound API key made from one (contract/invitations#realm-access-only,
 * contract/realm-users#realm-access-only).
 */
export function requireRealmAccess(scope: AccessScope): void {
  requireWholeRealm(scope);
  requireUnbound(scope);
}

/** Requires a realm pair or a provider pair (contract/api-keys#create-access). */
export function requirePair(scope: AccessScope): void {
  if (scope.mode === 'api_key') {
    throw new Failure('unauthenticated', 'API keys are created with a realm or provider pair');
  }
}

/** Requires an API key (contract/api-keys#renew-access). */
export function requireApiKey(scope: AccessScope): void {
  if (scope.apiKeyId === null) throw new Failure('unauthenticated', 'only an API key is renewed');
}

/**
 * Requires a user-bound key, which reaches its own user, or access to the realm
 * (contract/realm-users#gcustom-access).
 */
export function requireOwnUserOrRealm(scope: AccessScope): void {
  if (scope.user === null) requireRealmAccess(scope);
}

/**
 * Requires access to the realm. In a realm that serves the clients of Bright, a user-bound key may change the custom
 * text of its own user too (contract/compatibility#own-realm-user).
 */
export function requireRealmUserUpdate(scope: AccessScope): void {
  if (isBright(scope)) requireOwnUserOrRealm(scope);
  else requireRealmAccess(scope);
}

/**
 * Requires access to the realm; or, if the realm lets them create licenses, a user-bound key
 * (contract/compatibility#user-licenses).
 */
export function requireLicenseAccess(scope: AccessScope): void {
  if (!allowsUserLicenses(scope)) requireUnbound(scope);
  requireWholeRealm(scope);
}

/**
 * Requires that a user-bound key names its own user only, in any case of the address
 * (contract/access#user-key-other-learner).
 */
export function requireOwnLearner(scope: AccessScope, learnerId: string): void {
  if (scope.user && scope.user.email.toLowerCase() !== learnerId.toLowerCase()) {
    throw new Failure('unauthenticated', 'the API key is bound to another learner');
  }
}

/**
 * Requires that the scope reaches a provider application that the request names
 * (contract/courses#create-course-provider-id).
 */
export function requireApplication(scope: AccessScope, applicationId: number): void {
  if (!scope.applicationIds.includes(applicationId)) {
    throw new Failure('unauthenticated', 'the access does not reach the provider application');
  }
}
