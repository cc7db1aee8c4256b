import type { ProviderRegistration } from '@registrar/contracts';
import type { ListClaim, TimeWindow } from '../due-work/claim.ts';

/**
 * The overlap of a crawl of changes with the previous one: how much later than its time of change a provider may show
 * a change, differing clocks included. A registration that is read twice is published once.
 */
const overlapMs = 300_000;

/** Returns the time until which changes are settled when a crawl begins, in whole seconds: no change is added before it. */
export const settledUntil = (begunAt: Date): Date =>
  new Date(Math.floor((begunAt.getTime() - overlapMs) / 1_000) * 1_000);

/** Which registrations a list contains: by their creation, or by their last change with `byUpdated`. */
interface TimeRange {
  readonly since?: Date;
  readonly until?: Date;
  readonly byUpdated?: true;
}

/**
 * Returns the times of the registrations that a claim concerns: of a crawl of changes after the first
 * one, the changes that were not settled when the previous crawl began; of other crawls, all registrations; and of these,
 * the claim's window.
 */
export function timeRangeOf({
  kind,
  windowAt,
  window,
}: Pick<ListClaim, 'kind' | 'windowAt'> & { readonly window: TimeWindow | null }): TimeRange {
  const byUpdated = kind === 'changed-registrations' && windowAt !== null;
  const since = window?.since ?? (byUpdated ? settledUntil(windowAt) : null);
  const until = window?.until ?? null;
  return { ...(since && { since }), ...(until && { until }), ...(byUpdated && { byUpdated }) };
}

/**
 * Returns whether a claim concerns a window of settled changes. Nothing is added to such a window while it is read, so
 * that all its registrations were listed if as many were read as the provider counted before.
 */
export function isSettled({ kind, firstPage, window }: ListClaim): boolean {
  const until = window?.until;
  return (
    kind === 'changed-registrations' &&
    !!firstPage &&
    !!until &&
    until <= settledUntil(firstPage.at)
  );
}

/** Returns the time by which a range contains a registration; null if the provider does not report it. */
export function listedTime(
  { byUpdated }: TimeRange,
  { createdAt, updatedAt }: ProviderRegistration,
): Date | null {
  const at = byUpdated ? updatedAt : createdAt;
  return at ? new Date(at) : null;
}
