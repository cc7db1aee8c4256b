import { clock, currentRequestContext, runInRequestContext } from '@registrar/platform';

/**
 * Returns when a part of a request stops waiting that may use a share of its remaining time; the parts
 * that follow get the rest. Times are milliseconds since the epoch; null for a request without a
 * deadline.
 */
export const earlierDeadline = (
  share: number,
  now = clock.now(),
  deadline = currentRequestContext()?.deadline ?? null,
): number | null => (deadline === null ? null : now + Math.max(0, deadline - now) * share);

/** Runs `work` in a request context with another deadline. */
export function withEarlierDeadline<T>(
  deadline: number | null,
  work: () => Promise<T>,
): Promise<T> {
  const context = currentRequestContext();
  return context ? runInRequestContext({ ...context, deadline }, work) : work();
}
