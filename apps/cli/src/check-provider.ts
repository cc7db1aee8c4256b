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
  const unknown = { clock_skew_seconds: null, courses: null };
  const sentAt = clock.now();
  let providerTime: string | null;
  try {
    providerTime = await provider.ping();
  } catch (error) {
    const { kind, message } = faultOf(error);
    return { findings: { ...accessFound(kind), ...unknown, fault: message }, faultKind: kind };
  }
  const found = {
    reachable: true,
    credentials_accepted: true,
    clock_skew_seconds:
      providerTime === null ? null : skewOf(Date.parse(providerTime), sentAt, clock.now()),
  };
  try {
    let courses = 0;
    for await (const page of provider.listCourses()) courses += page.length;
    return { findings: { ...found, courses, fault: null }, faultKind: null };
  } catch (error) {
    const { kind, message } = faultOf(error);
    return { findings: { ...found, courses: null, fault: message }, faultKind: kind };
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

function accessFound(kind: ProviderFaultKind): {
  reachable: boolean;
  credentials_accepted: boolean | null;
} {
  if (kind === 'unauthorized') return { reachable: true, credentials_accepted: false };
  const isSilent = kind === 'unavailable' || kind === 'timeout';
  return { reachable: !isSilent, credentials_accepted: null };
}

function faultOf(error: unknown): { kind: ProviderFaultKind; message: string } {
  if (error instanceof CourseProviderError)
    return { kind: error.fault.kind, message: error.message };
  throw error;
}
