import {
  type CourseProvider,
  CourseProviderError,
  type NewRegistration,
  type ProviderFaultKind,
} from '#libs/course-provider';

const refusals: readonly ProviderFaultKind[] = ['refused', 'unauthorized', 'not-found'];

/** The provider has said no: nothing was made. */
export const isRefusal = (error: unknown): error is CourseProviderError =>
  error instanceof CourseProviderError && refusals.includes(error.fault.kind);

/**
 * Sees to it that the provider holds a registration, and makes it no second time.
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
  if (begun && (await isHeld())) return;
  try {
    await provider.createRegistration(registration);
  } catch (error) {
    // Another attempt may have been quicker: then it is the second one that is refused.
    if (isRefusal(error) && error.fault.kind === 'refused' && (await isHeld())) return;
    throw error;
  }
}
