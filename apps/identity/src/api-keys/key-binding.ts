import { type AccessScope, Failure } from '#libs/contracts';

/**
 * The provider application that a new api key is bound to (decisions 14 and 15): the one that the
 * request names, else that of a provider pair, else none: the key reaches the whole realm.
 *
 * @throws {Failure} `unauthenticated` when the scope was itself given by an api key, `not-found`
 * for an application out of reach
 */
export function keyBinding(scope: AccessScope, namedApplicationId: number | null): number | null {
  if (scope.mode === 'api_key') {
    throw new Failure('unauthenticated', 'an api key is made from a realm or provider pair only');
  }
  if (namedApplicationId === null) {
    return scope.wholeRealm ? null : (scope.applicationIds[0] ?? null);
  }
  if (!scope.applicationIds.includes(namedApplicationId)) {
    throw new Failure('not-found', `provider application ${namedApplicationId} is out of reach`);
  }
  return namedApplicationId;
}
