import { type AccessScope, Failure } from '#libs/contracts';

/**
 * Templates belong to a realm; whoever reaches one provider application of it only does not reach
 * them (libs/contracts, catalog-templates). A key that is bound to a user may read them.
 *
 * @throws {Failure} `unauthenticated`
 */
export function requireTemplateReader(scope: AccessScope): void {
  if (!scope.wholeRealm) {
    throw new Failure('unauthenticated', 'the access does not reach the whole realm');
  }
}

/** Only a realm pair, and a key made from one, may write them. @throws {Failure} `unauthenticated` */
export function requireTemplateWriter(scope: AccessScope): void {
  requireTemplateReader(scope);
  if (scope.user) throw new Failure('unauthenticated', 'the api key is bound to a user');
}
