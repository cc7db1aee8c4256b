import { type AccessScope, Failure } from '#libs/contracts';

/**
 * The provider applications in which a create may look for its course (decision 13).
 *
 * @throws {Failure} `unauthenticated` when the scope is bound to another learner (decision 14),
 * or does not reach the application that the request names
 */
export function applicationsForCreate(
  scope: AccessScope,
  named: { applicationId: number | null; learnerId: string },
): number[] {
  if (scope.user && scope.user.email.toLowerCase() !== named.learnerId.toLowerCase()) {
    throw new Failure('unauthenticated', 'the api key is bound to another learner');
  }
  if (named.applicationId === null) return scope.applicationIds;
  if (!scope.applicationIds.includes(named.applicationId)) {
    throw new Failure('unauthenticated', 'the access does not reach the provider application');
  }
  return [named.applicationId];
}
