import { type AccessScope, Failure } from '#libs/contracts';

/**
 * Invitations belong to a realm: only a realm pair, and a key made from one that is bound to no
 * user, reach them.
 *
 * @throws {Failure} `unauthenticated` for all others (decision 14)
 */
export function requireRealm(scope: AccessScope): void {
  if (!scope.wholeRealm || scope.user) {
    throw new Failure('unauthenticated', 'invitations need access to the whole realm');
  }
}
