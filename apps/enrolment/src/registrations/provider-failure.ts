import { Failure } from '@registrar/contracts';
import { CourseProviderError } from '@registrar/course-provider';

/**
 * Handler for `catch` of a provider's call in an operation without a 403, such as launch and delete:
 * the caller's request is at fault for what the provider refuses.
 */
export function throwProviderFailure(error: unknown): never {
  if (!(error instanceof CourseProviderError)) throw error;
  const { kind } = error.fault;
  if (kind === 'refused') throw new Failure('invalid', error.message);
  if (kind === 'unauthorized') {
    throw new Failure('unavailable', error.message, undefined, { ofProvider: true });
  }
  throw error;
}
