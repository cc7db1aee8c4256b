import type { ProviderRegistration } from '@registrar/contracts';
import type { ListClaim } from '../due-work/claim.ts';

/**
 * The overlap of a crawl of changes with the previous one. It covers differing clocks and changes that a
 * provider shows late; a registration that is read twice does no harm.
 */
const overlapMs = 60_000;

/** Which registrations a list contains: by their creation, or by their last change with `byUpdated`. */
interface TimeRange {
  readonly since?: Date;
  readonly until?: Date;
  readonly byUpdated?: true;
}

/**
 * Returns the times of the registrations that a claim concerns: of a crawl of changes after the first
 * one, the changes since the previous crawl began; of other crawls, all registrations; and of these,
 * the claim's window.
 */
export function timeRangeOf({
  kind,
  windowAt,
  window,
}: Pick<ListClaim, 'kind' | 'windowAt' | 'window'>): TimeRange {
  const byUpdated = kind === 'changed-registrations' && windowAt !== null;
  const since = window?.since ?? (byUpdated ? new Date(windowAt.getTime() - overlapMs) : null);
  const until = window?.until ?? null;
  return { ...(since && { since }), ...(until && { until }), ...(byUpdated && { byUpdated }) };
}

/** Returns the time by which a range contains a registration; null if the provider does not report it. */
export function listedTime(
  { byUpdated }: TimeRange,
  { createdAt, updatedAt }: ProviderRegistration,
): Date | null {
  const at = byUpdated ? updatedAt : createdAt;
  return at ? new Date(at) : null;
}
