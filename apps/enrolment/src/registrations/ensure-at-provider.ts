import {
  type CourseProvider,
  CourseProviderError,
  type NewRegistration,
  type ProviderFaultKind,
  retryDelay,
} from '@registrar/course-provider';
import { clock, remainingTimeMs } from '@registrar/platform';

const refusals: readonly ProviderFaultKind[] = ['refused', 'unauthorized', 'not-found'];

/** Returns whether the provider refused the create, so that the registration does not exist there. */
export const isRefusal = (error: unknown): error is CourseProviderError =>
  error instanceof CourseProviderError && refusals.includes(error.fault.kind);

/**
 * Creates a registration at the provider unless it exists there. Retries after transient errors,
 * for instance a connection that the provider closes before its response.
 *
 * @param mayExist whether an earlier attempt, whose response was lost, may have succeeded
 * @throws {CourseProviderError} also for a refusal ({@link isRefusal})
 */
export async function ensureAtProvider(
  provider: CourseProvider,
  registration: NewRegistration,
  { mayExist }: { mayExist: boolean },
): Promise<void> {
  const exists = () => provider.registrationExists(registration.registrationGuid);
  for (let attempt = 1; ; attempt += 1) {
    if ((mayExist || attempt > 1) && (await exists())) return;
    try {
      await provider.createRegistration(registration);
      return;
    } catch (error) {
      if (!(error instanceof CourseProviderError)) throw error;
      // The provider refuses the second of two concurrent attempts, and the first has succeeded.
      if (error.fault.kind === 'refused' && (await exists())) return;
      const delay = retryDelay(error.fault, attempt, remainingTimeMs(), Math.random());
      if (delay === null) throw error;
      await clock.sleep(delay);
    }
  }
}
