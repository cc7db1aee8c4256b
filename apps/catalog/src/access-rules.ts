import { type AccessScope, Failure } from '@registrar/contracts';

/*
 * Who may read and change courses, packages and templates (contract/access#reach). Which courses a
 * scope reaches is a condition of every query: `provider_application_id` is one of its
 * `applicationIds`; templates belong to its `realmId`.
 */

/**
 * Checks that the scope may create and update courses and upload packages: a pair, or an unbound
 * key. A user-bound key only reads courses (contract/access#user-key-courses).
 *
 * @throws {Failure} `unauthenticated`
 */
export function requireCourseWriter(scope: AccessScope): void {
  if (scope.user) throw new Failure('unauthenticated', 'the API key is bound to a user');
}

/**
 * Returns the id of the provider application in which a course is created
 * (contract/courses#create-course-provider-id).
 *
 * @param requestedId the provider application that the request names; null if it names none
 * @throws {Failure} `unauthenticated` when the scope does not reach the requested application;
 * `not-found` when the request names none and the scope does not reach exactly one
 */
export function applicationForCreate(scope: AccessScope, requestedId: number | null): number {
  requireCourseWriter(scope);
  const [only, ...others] = scope.applicationIds;
  if (requestedId === null) {
    if (only !== undefined && others.length === 0) return only;
    throw new Failure('not-found', 'the request does not say which provider application it means');
  }
  if (!scope.applicationIds.includes(requestedId)) {
    throw new Failure('unauthenticated', 'the access does not reach the provider application');
  }
  return requestedId;
}

/**
 * Checks that the scope may read the templates of its realm: access to the whole realm, user-bound
 * keys included (contract/templates#index-access).
 *
 * @throws {Failure} `unauthenticated`
 */
export function requireTemplateReader(scope: AccessScope): void {
  if (!scope.wholeRealm) {
    throw new Failure('unauthenticated', 'the access does not reach the whole realm');
  }
}

/**
 * Checks that the scope may create and update templates: a realm pair, or an unbound key made from
 * one (contract/access#user-key-templates).
 *
 * @throws {Failure} `unauthenticated`
 */
export function requireTemplateWriter(scope: AccessScope): void {
  requireTemplateReader(scope);
  if (scope.user) throw new Failure('unauthenticated', 'the API key is bound to a user');
}
