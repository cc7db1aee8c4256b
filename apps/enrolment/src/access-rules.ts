import {
  type AccessScope,
  Failure,
  isBright,
  requireApplication,
  requireLicenseAccess,
  requireOwnLearner,
} from '@registrar/contracts';
import { join, raw, type Sql, sql } from '@registrar/persistence';

/*
 * Who may see and change what in this context (contract/access#reach). Handlers call these
 * functions; no other file decides what a scope reaches.
 */

/**
 * Which learner a request may name (contract/access#user-key-other-learner), and who may see and
 * change invitations (contract/invitations#realm-access-only).
 */
export { requireOwnLearner, requireRealmAccess } from '@registrar/contracts';

/**
 * Checks who may ask for an invitation: {@link requireRealmAccess | realm access}, or a user-bound key by its name, if
 * the realm allows that (contract/compatibility#user-licenses).
 *
 * @throws {Failure} `unauthenticated`
 */
export function requireInvitationIndex(
  scope: AccessScope,
  { name }: { readonly name?: string | undefined },
): void {
  requireLicenseAccess(scope);
  if (scope.user && !name)
    throw new Failure('unauthenticated', 'a user-bound key names one invitation');
}

/**
 * Checks who may create an invitation: {@link requireRealmAccess | realm access}, or a user-bound key that creates a
 * license which its user initiates, if the realm allows that (contract/compatibility#user-licenses).
 *
 * @throws {Failure} `unauthenticated`
 */
export function requireInvitationCreate(
  scope: AccessScope,
  { license, initiatingUser }: { readonly license: boolean; readonly initiatingUser: unknown },
): void {
  requireLicenseAccess(scope);
  if (!scope.user) return;
  if (!license) throw new Failure('unauthenticated', 'a user-bound key creates licenses only');
  requireOwnLearner(scope, String(initiatingUser));
}

/**
 * Returns the provider applications whose courses a registration create may use
 * (contract/registrations#create-application).
 *
 * @throws {Failure} `unauthenticated` for another learner ({@link requireOwnLearner}), and for a
 * provider application that the scope does not reach; `not-found` when the realm has none
 */
export function applicationsForCreate(
  scope: AccessScope,
  request: { applicationId: number | null; learnerId: string },
): number[] {
  requireOwnLearner(scope, request.learnerId);
  if (request.applicationId === null) {
    if (scope.applicationIds.length > 0) return scope.applicationIds;
    throw new Failure('not-found', 'the realm has no provider application');
  }
  requireApplication(scope, request.applicationId);
  return [request.applicationId];
}

/** PostgreSQL plans for ten elements of an array that it does not know yet: one is compared alone. */
const isOneOf = (ids: readonly number[]): Sql =>
  ids.length === 1 ? sql`= ${ids[0]}` : sql`= ANY(${ids})`;

/**
 * Conditions on `registrations AS r`: see {@link reachedRegistrations}.
 *
 * @param isApplication the comparison of a column with the provider applications of a scope
 * @param user the e-mail address of the user of a user-bound key
 */
const registrationRules = (isApplication: Sql, user: Sql | null): Sql[] => [
  sql`r.provider_application_id ${isApplication}`,
  ...(user ? [sql`lower(r.learner_id) = lower(${user})`] : []),
];

/**
 * Returns the SQL conditions on `registrations AS r` that are true for the rows that a scope sees
 * and changes: those of its provider applications, and of these only the user's own for a
 * user-bound key (contract/access#user-key-own-registrations).
 */
export const reachedRegistrations = ({ applicationIds, user }: AccessScope): Sql[] =>
  registrationRules(isOneOf(applicationIds), user && sql`${user.email}`);

/**
 * Returns the provider applications of a scope as rows of `a (application)`, and the SQL conditions on
 * `registrations AS r` that are true for the rows of one of them that the scope sees: {@link reachedRegistrations}
 * for a statement that reads each application by itself.
 */
export const reachedByApplication = ({ applicationIds, user }: AccessScope) => ({
  applications: sql`unnest(${applicationIds}::bigint[]) AS a (application)`,
  // By equality alone, PostgreSQL would take an order by application and id for one by id, and an index of all applications.
  conditions: registrationRules(sql`= ANY(ARRAY[a.application])`, user && sql`${user.email}`),
});

/** Condition on `courses AS c`: see {@link reachedCourses}. */
const courseRule = (isApplication: Sql): Sql => sql`c.provider_application_id ${isApplication}`;

/** Returns the SQL condition on `courses AS c` for the courses of a scope's provider applications. */
export const reachedCourses = ({ applicationIds }: AccessScope): Sql =>
  courseRule(isOneOf(applicationIds));

/** Returns the SQL condition on `registration_day_counts AS n` for the courses of a scope's provider applications. */
export const reachedCounts = ({ applicationIds }: AccessScope): Sql =>
  sql`n.provider_application_id ${isOneOf(applicationIds)}`;

/** Condition on `invitations AS i`: see {@link reachedInvitations}. */
const invitationRule = (realm: Sql): Sql => sql`i.realm_id = ${realm}`;

/**
 * Returns the SQL condition on `invitations AS i` for those that {@link requireRealmAccess | realm access}
 * sees and changes: those of its realm.
 */
export const reachedInvitations = ({ realmId }: Pick<AccessScope, 'realmId'>): Sql =>
  invitationRule(sql`${realmId}`);

/**
 * Whether stored queries show invitations: all of the realm with realm access, and with a user-bound key those that its
 * user takes part in, if the realm serves the clients of Bright (contract/compatibility#own-invitations).
 */
const readsInvitations = (scope: AccessScope): boolean =>
  scope.wholeRealm && (scope.user === null || isBright(scope));

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
 * Returns the settings of a transaction that choose the rows of the views of stored queries, which are
 * empty for null: the registrations and courses in reach, and the realm's invitations for
 * {@link readsInvitations | some access} only (contract/stored-queries#rows-in-reach).
 */
export const reportViewSettings = (scope: AccessScope | null): Record<string, string> => ({
  'registrar.applications': scope ? `{${scope.applicationIds.join(',')}}` : '',
  'registrar.user': scope?.user?.email ?? '',
  'registrar.realm': scope && readsInvitations(scope) ? `${scope.realmId}` : '',
});

const setting = (name: 'applications' | 'user' | 'realm') =>
  raw(`nullif(current_setting('registrar.${name}', true), '')`);
const isApplication = sql`= ANY(${setting('applications')}::bigint[])`;
const user = setting('user');

/** Without a user, or a row about that user. */
const isOwnRow = (learnerId: Sql): Sql =>
  sql`(${user} IS NULL OR lower(${learnerId}) = lower(${user}))`;

/** Without a user, or an invitation that the user has initiated or is a learner of. */
const isOwnInvitation = sql`(
  ${user} IS NULL
  OR lower(json_or_null(i.custom) ->> 'initiating_user') = lower(${user})
  OR EXISTS (
    SELECT FROM invitation_learners AS own
    WHERE own.invitation_id = i.id AND lower(own.learner_id) = lower(${user})
  )
)`;

/**
 * The SQL conditions of the views of stored queries on `registrations AS r`, `courses AS c`,
 * `invitations AS i` and `invitation_learners AS l`. They take the reach from {@link reportViewSettings}.
 */
export const reportRules = {
  registrationsOfApplications: join(
    [sql`${user} IS NULL`, ...registrationRules(isApplication, null)],
    ' AND ',
  ),
  registrationsOfUser: join(registrationRules(isApplication, user), ' AND '),
  courses: courseRule(isApplication),
  invitations: join([invitationRule(sql`${setting('realm')}::bigint`), isOwnInvitation], ' AND '),
  invitationLearners: isOwnRow(sql`l.learner_id`),
  invitationRegistrations: isOwnRow(sql`r.learner_id`),
};

/**
 * Returns whose part of the realm's limits a result uses: that of the user, of the API key, or of the
 * provider application. Null for the realm pair, which may use all of them.
 */
export function resultOwner({ mode, user, apiKeyId, applicationIds }: AccessScope): string | null {
  if (user) return `user ${user.id}`;
  if (mode === 'api_key') return `key ${apiKeyId}`;
  return mode === 'provider' ? `application ${applicationIds.join()}` : null;
}

/**
 * Returns the reach of a scope as JSON text. Only a scope of the same reach reads the result of a
 * stored query (contract/stored-queries#rows-in-reach).
 */
export const resultReach = (scope: AccessScope): string =>
  JSON.stringify({
    realmId: scope.realmId,
    applicationIds: scope.applicationIds.toSorted((a, b) => a - b),
    wholeRealm: scope.wholeRealm,
    userId: scope.user?.id ?? null,
    readsInvitations: readsInvitations(scope),
  });
