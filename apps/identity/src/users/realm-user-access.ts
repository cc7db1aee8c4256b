import { type AccessScope, Failure } from '#libs/contracts';

/**
 * The users of a realm are for a realm pair, and for an api key made from one that is bound to no
 * user (decision 14).
 *
 * @throws {Failure} `unauthenticated`
 */
export function requireRealm(scope: AccessScope): void {
  if (!scope.wholeRealm) {
    throw new Failure('unauthenticated', 'the access does not reach the whole realm');
  }
  if (scope.user) throw new Failure('unauthenticated', 'the api key is bound to a user');
}
