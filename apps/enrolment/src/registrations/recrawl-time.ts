/** The share of the time left that a recrawl may use; the rest is the index's, which follows it. */
const share = 2 / 3;

/**
 * When a recrawl stops waiting, so that the index which asked for it can still answer (decision
 * 29). Milliseconds since the epoch; null when the request has no deadline.
 */
export const recrawlDeadline = (now: number, deadline: number | null): number | null =>
  deadline === null ? null : now + Math.max(0, deadline - now) * share;
