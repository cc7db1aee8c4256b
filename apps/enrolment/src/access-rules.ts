import { type AccessScope, Failure } from '@registrar/contracts';
import { type Sql, sql } from '@registrar/persistence';

/*
 * Who may see and change what in this context (contract/access#reach). Handlers call these
 * functions; no other file decides what a scope reaches.
 */

/**
 * Checks that a scope may name a learner: a user-bound key names its own user only, in any case of
 * the address (contract/access#user-key-other-learner).
 *
 * @throws {Failure} `unauthenticated` for another learner
 */
export function assertMayNameLearner(scope: AccessScope, learnerId: string): void {
  if (scope.user && scope.user.email.toLowerCase() !== learnerId.toLowerCase()) {
    throw new Failure('unauthenticated', 'the API key is bound to another learner');
  }
}

/**
 * Returns the provider applications whose courses a registration create may use
 * (contract/registrations#create-application).
 *
 * @throws {Failure} `unauthenticated` for another learner ({@link assertMayNameLearner}), and for a
 * provider application that the scope does not reach
 */
export function applicationsForCreate(
  scope: AccessScope,
  request: { applicationId: number | null; learnerId: string },
): number[] {
  assertMayNameLearner(scope, request.learnerId);
  if (request.applicationId === null) return scope.applicationIds;
  if (!scope.applicationIds.includes(request.applicationId)) {
    throw new Failure('unauthenticated', 'the access does not reach the provider application');
  }
  return [request.applicationId];
}

/**
 * Returns the SQL conditions on `registrations AS r` that are true for the rows that a scope sees
 * and changes: those of its provider applications, and of these only the user's own for a
 * user-bound key (contract/access#user-key-own-registrations).
 */
export function reachedRegistrations(scope: AccessScope): Sql[] {
  return [
    sql`r.provider_application_id = ANY(${scope.applicationIds})`,
    ...(scope.user ? [sql`lower(r.learner_id) = lower(${scope.user.email})`] : []),
  ];
}

const hasRealmAccess = (scope: AccessScope): boolean => scope.wholeRealm && scope.user === null;

/**
 * Checks that a scope may see and change the invitations of its realm: it comes from a realm pair,
 * or from an unbound API key made from one (contract/invitations#realm-access-only).
 *
 * @throws {Failure} `unauthenticated` for any other scope
 */
export function requireRealmAccess(scope: AccessScope): void {
  if (!hasRealmAccess(scope)) {
    throw new Failure('unauthenticated', 'invitations need access to the whole realm');
  }
}

/**
 * Returns the SQL condition on `stored_queries AS q` for the queries that a scope may run: the
 * built-in ones, its realm's, and those of its provider applications
 * (contract/stored-queries#own-queries).
 */
export const reachedStoredQueries = ({ realmId, applicationIds }: AccessScope): Sql => sql`(
  q.query_scope = 'bright'
  OR q.realm_id = ${realmId}
    AND (q.query_scope = 'realm' OR q.provider_application_id = ANY(${applicationIds}))
)`;

/**
 * Returns the settings that choose the rows of the views of stored queries, which are empty for
 * null: the registrations and courses in reach, and the realm's invitations for
 * {@link requireRealmAccess | realm access} only (contract/stored-queries#rows-in-reach).
 */
export const reportViewSettings = (scope: AccessScope | null): Record<string, string> => ({
  'registrar.applications': scope ? `{${scope.applicationIds.join(',')}}` : '',
  'registrar.user': scope?.user?.email ?? '',
  'registrar.realm': scope && hasRealmAccess(scope) ? `${scope.realmId}` : '',
});

/**
 * Returns the reach of a scope as JSON text. Only a scope of the same reach reads the result of a
 * stored query (contract/stored-queries#rows-in-reach).
 */
export const resultReach = ({ realmId, applicationIds, wholeRealm, user }: AccessScope): string =>
  JSON.stringify({
    realmId,
    applicationIds: applicationIds.toSorted((a, b) => a - b),
    wholeRealm,
    userId: user?.id ?? null,
  });
