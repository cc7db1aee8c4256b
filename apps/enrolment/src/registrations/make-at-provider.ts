import { setTimeout as pause } from 'node:timers/promises';
import {
  type CourseProvider,
  CourseProviderError,
  type NewRegistration,
  type ProviderFaultKind,
  retryDelay,
} from '#libs/course-provider';
import { remainingTime } from '#libs/platform';

const refusals: readonly ProviderFaultKind[] = ['refused', 'unauthorized', 'not-found'];

/** The provider has said no: nothing was made. */
export const isRefusal = (error: unknown): error is CourseProviderError =>
  error instanceof CourseProviderError && refusals.includes(error.fault.kind);

/**
 * Sees to it that the provider holds a registration, and makes it no second time. An attempt whose
 * answer is lost, as on a connection that the provider closes just then, is followed by another one.
 *
 * @param begun whether an attempt was made before: it may have succeeded with its answer lost
 * @throws {CourseProviderError} also a refusal ({@link isRefusal})
 */
export async function makeAtProvider(
  provider: CourseProvider,
  registration: NewRegistration,
  { begun }: { begun: boolean },
): Promise<void> {
  const isHeld = () => provider.registrationExists(registration.registrationGuid);
  for (let attempt = 1; ; attempt += 1) {
    if ((begun || attempt > 1) && (await isHeld())) return;
    try {
      await provider.createRegistration(registration);
      return;
    } catch (error) {
      if (!(error instanceof CourseProviderError)) throw error;
      // Another attempt may have been quicker: then it is the second one that is refused.
      if (error.fault.kind === 'refused' && (await isHeld())) return;
      const delay = retryDelay(error.fault, attempt, remainingTime(), Math.random());
      if (delay === null) throw error;
      await pause(delay);
    }
  }
}
