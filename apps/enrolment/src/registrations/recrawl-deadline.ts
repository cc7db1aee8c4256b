/** The share of the remaining time that a recrawl may use; the index that follows gets the rest. */
const recrawlShare = 2 / 3;

/**
 * Returns when a recrawl stops waiting, so that the index that requested it can still reply within
 * the deadline (contract/registrations#recrawl-late). Times are milliseconds since the epoch; null
 * for a request without a deadline.
 */
export const recrawlDeadline = (now: number, deadline: number | null): number | null =>
  deadline === null ? null : now + Math.max(0, deadline - now) * recrawlShare;
