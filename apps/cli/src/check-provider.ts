import { clock } from '@registrar/platform';
import {
  type CourseProvider,
  CourseProviderError,
  type ProviderFaultKind,
} from '@registrar/course-provider';

/** The result of a test call to a course provider, as it is printed; null where a value is unknown. */
export interface ProviderFindings {
  readonly reachable: boolean;
  readonly credentials_accepted: boolean | null;
  /** By how much its clock is ahead of ours. */
  readonly clock_skew_seconds: number | null;
  readonly courses: number | null;
  /** Why it cannot be used; null when it can. */
  readonly fault: string | null;
}

/** What was found of a course provider, and the kind of the fault that it names; null without one. */
export interface CheckedProvider {
  readonly findings: ProviderFindings;
  readonly faultKind: ProviderFaultKind | null;
}

/** Clocks that differ by more make crawls miss changes: seconds. */
export const tolerableSkew = 60;

/**
 * Finds out whether services can use a course provider.
 *
 * @throws errors that the provider did not cause
 */
export async function checkProvider(provider: CourseProvider): Promise<CheckedProvider> {
  const sentAt = clock.now();
  let found: ProviderFindings | null = null;
  try {
    const time = await provider.ping();
    const skew = time === null ? null : skewOf(Date.parse(time), sentAt, clock.now());
    const access = { reachable: true, credentials_accepted: true };
    found = { ...access, clock_skew_seconds: skew, courses: null, fault: null };
    let courses = 0;
    for await (const page of provider.listCourses()) courses += page.length;
    return { findings: { ...found, courses }, faultKind: null };
  } catch (error) {
    if (!(error instanceof CourseProviderError)) throw error;
    const { kind } = error.fault;
    found ??= { ...accessFound(kind), clock_skew_seconds: null, courses: null, fault: null };
    return { findings: { ...found, fault: error.message }, faultKind: kind };
  }
}

/**
 * Seconds by which a clock is ahead that read `clock`, in whole seconds, somewhere between two
 * moments of our own; all in milliseconds since the epoch.
 */
export function skewOf(clock: number, sentAt: number, receivedAt: number): number {
  const middleOfSecond = clock + 500;
  const seconds = (middleOfSecond - (sentAt + receivedAt) / 2) / 1000;
  return Math.ceil(seconds - 0.5) || 0; // in place of a negative zero
}

function accessFound(
  kind: ProviderFaultKind,
): Pick<ProviderFindings, 'reachable' | 'credentials_accepted'> {
  if (kind === 'unauthorized') return { reachable: true, credentials_accepted: false };
  const isSilent = kind === 'unavailable' || kind === 'timeout';
  return { reachable: !isSilent, credentials_accepted: null };
}
