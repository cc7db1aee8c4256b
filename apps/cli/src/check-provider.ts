import {
  type CourseProvider,
  CourseProviderError,
  type ProbedProvider,
  probeProvider,
  type ProviderFaultKind,
} from '@registrar/course-provider';

/** The result of test calls to a course provider, as it is printed; null where a value is unknown. */
export interface ProviderFindings extends ProbedProvider {
  readonly courses: number | null;
}

/** What was found of a course provider, and the kind of the fault that it names; null without one. */
export interface CheckedProvider {
  readonly findings: ProviderFindings;
  readonly faultKind: ProviderFaultKind | null;
}

/**
 * Finds out whether services can use a course provider.
 *
 * @throws errors that the provider did not cause
 */
export async function checkProvider(provider: CourseProvider): Promise<CheckedProvider> {
  const { probed, faultKind } = await probeProvider(provider);
  if (faultKind !== null) return { findings: withCourses(probed, null), faultKind };
  try {
    let courses = 0;
    for await (const page of provider.listCourses()) courses += page.length;
    return { findings: withCourses(probed, courses), faultKind: null };
  } catch (error) {
    if (!(error instanceof CourseProviderError)) throw error;
    const findings = withCourses({ ...probed, fault: error.message }, null);
    return { findings, faultKind: error.fault.kind };
  }
}

/** In the order in which they are printed. */
const withCourses = (
  { fault, ...probed }: ProbedProvider,
  courses: number | null,
): ProviderFindings => ({ ...probed, courses, fault });
