import { Failure } from '#libs/contracts';
import { CourseProviderError } from '#libs/course-provider';

/**
 * What course create answers when a call of the provider fails: api-v2.md has no status for a
 * refusal there, so it is the request's own fault, in the provider's words. That the provider does
 * not take our credentials, or does not know what it told us before, is no fault of the request.
 */
export function failureOfCreate(error: unknown): Failure {
  if (!(error instanceof CourseProviderError)) return Failure.from(error);
  const { message, fault } = error;
  if (fault.kind === 'refused') return new Failure('invalid', message, undefined, { cause: error });
  if (fault.kind === 'unauthorized' || fault.kind === 'not-found') {
    return new Failure('unavailable', message, undefined, { cause: error });
  }
  return error;
}
