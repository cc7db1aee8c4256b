import { Failure } from '@registrar/contracts';
import { CourseProviderError } from '@registrar/course-provider';

/**
 * Handler for `catch` of a provider's call in an operation without a 403, such as launch and delete: the
 * gateway has checked the parameters, so what the provider refuses is the fault of the installation or of
 * the provider (contract/registrations#launch-503).
 */
export function throwProviderFailure(error: unknown): never {
  if (!(error instanceof CourseProviderError)) throw error;
  const { kind } = error.fault;
  if (kind !== 'refused' && kind !== 'unauthorized') throw error;
  throw new Failure('unavailable', error.message, undefined, { ofProvider: true });
}
