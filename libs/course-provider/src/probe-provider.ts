import { clock } from '@registrar/platform';
import { CourseProviderError, type ProviderFaultKind } from './course-provider-error.ts';
import { type CourseProvider } from './http-course-provider.ts';

/** What a call without effect has found of a course provider; null where a value is unknown. */
export interface ProbedProvider {
  readonly reachable: boolean;
  readonly credentials_accepted: boolean | null;
  /** By how much its clock is ahead of ours. */
  readonly clock_skew_seconds: number | null;
  /** Why it cannot be used; null when it can. */
  readonly fault: string | null;
}

/** Clocks that differ by more make crawls miss changes: seconds. */
export const tolerableSkew = 60;

/**
 * Finds out whether a course provider can be reached and accepts the credentials.
 *
 * @returns what was found, and the kind of the fault that it names; null without one
 * @throws errors that the provider did not cause
 */
export async function probeProvider(
  provider: Pick<CourseProvider, 'ping'>,
): Promise<{ readonly probed: ProbedProvider; readonly faultKind: ProviderFaultKind | null }> {
  const sentAt = clock.now();
  try {
    const time = await provider.ping();
    const skew = time === null ? null : skewOf(Date.parse(time), sentAt, clock.now());
    const access = { reachable: true, credentials_accepted: true };
    return { probed: { ...access, clock_skew_seconds: skew, fault: null }, faultKind: null };
  } catch (error) {
    if (!(error instanceof CourseProviderError)) throw error;
    const { kind } = error.fault;
    const probed = { ...accessFound(kind), clock_skew_seconds: null, fault: error.message };
    return { probed, faultKind: kind };
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
): Pick<ProbedProvider, 'reachable' | 'credentials_accepted'> {
  if (kind === 'unauthorized') return { reachable: true, credentials_accepted: false };
  const isSilent = kind === 'unavailable' || kind === 'timeout';
  return { reachable: !isSilent, credentials_accepted: null };
}
