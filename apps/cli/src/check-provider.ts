import { type CourseProvider, CourseProviderError } from '@registrar/course-provider';

/** The result of a test call to a course provider; null where a value is unknown. */
export interface ProviderFindings {
  readonly reachable: boolean;
  readonly credentials_accepted: boolean | null;
  /** By how much its clock is ahead of ours. */
  readonly clock_skew_seconds: number | null;
  readonly courses: number | null;
  /** Why it cannot be used; null when it can. */
  readonly fault: string | null;
}

/** Clocks that differ by more make crawls miss changes: seconds. */
export const tolerableSkew = 60;

/**
 * Finds out whether services can use a course provider.
 *
 * @throws errors that the provider did not cause
 */
export async function checkProvider(provider: CourseProvider): Promise<ProviderFindings> {
  const unknown = { clock_skew_seconds: null, courses: null };
  const sentAt = Date.now();
  let clock: string | null;
  try {
    clock = await provider.ping();
  } catch (error) {
    return { ...accessFound(error), ...unknown, fault: faultOf(error) };
  }
  const found = {
    reachable: true,
    credentials_accepted: true,
    clock_skew_seconds: clock === null ? null : skewOf(Date.parse(clock), sentAt, Date.now()),
  };
  try {
    let courses = 0;
    for await (const page of provider.listCourses()) courses += page.length;
    return { ...found, courses, fault: null };
  } catch (error) {
    return { ...found, courses: null, fault: faultOf(error) };
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

/** Whether a provider refuses calls because there are too many: the fault has the status of its response. */
export const isThrottled = ({ fault }: ProviderFindings): boolean =>
  fault !== null && /: 429\b/.test(fault);

function accessFound(error: unknown): { reachable: boolean; credentials_accepted: boolean | null } {
  const kind = error instanceof CourseProviderError ? error.fault.kind : null;
  if (kind === 'unauthorized') return { reachable: true, credentials_accepted: false };
  const isSilent = kind === 'unavailable' || kind === 'timeout';
  return { reachable: !isSilent, credentials_accepted: null };
}

function faultOf(error: unknown): string {
  if (error instanceof CourseProviderError) return error.message;
  throw error;
}
