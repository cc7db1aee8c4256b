import { type AccessScope, Failure } from '#libs/contracts';

/**
 * Courses and packages are managed with a pair, or with an api key made from one.
 *
 * @throws {Failure} `unauthenticated` for an api key that is bound to a user, which reaches the
 * courses for reading only (decision 14)
 */
export function requireManager(scope: AccessScope): void {
  if (scope.user) throw new Failure('unauthenticated', 'the api key is bound to a user');
}

/**
 * The provider application in which a course is created (decision 13).
 *
 * @throws {Failure} `unauthenticated` when the scope does not reach the application that the
 * request names; `not-found` when it names none and the scope leaves a choice
 */
export function applicationForCreate(scope: AccessScope, named: number | null): number {
  requireManager(scope);
  const [only, ...others] = scope.applicationIds;
  if (named === null) {
    if (only !== undefined && others.length === 0) return only;
    throw new Failure('not-found', 'the request leaves open which provider application is meant');
  }
  if (!scope.applicationIds.includes(named)) {
    throw new Failure('unauthenticated', 'the access does not reach the provider application');
  }
  return named;
}
