import { Failure } from '@registrar/contracts';
import { CourseProviderError } from '@registrar/course-provider';

/**
 * Converts the error of a provider's call to the failure of course create or delete. A refusal of
 * the provider is the fault of the request (contract/courses#create-500). Refused credentials, and
 * an unknown import job, are not.
 */
export function toCourseFailure(error: unknown): Failure {
  if (!(error instanceof CourseProviderError)) return Failure.from(error);
  const { message, fault } = error;
  if (fault.kind === 'refused') return new Failure('invalid', message, undefined, { cause: error });
  if (fault.kind === 'unauthorized' || fault.kind === 'not-found') {
    return new Failure('unavailable', message, undefined, { cause: error, ofProvider: true });
  }
  return error;
}

/** Handler for `catch` of a provider's call. */
export function throwCourseFailure(error: unknown): never {
  throw toCourseFailure(error);
}
