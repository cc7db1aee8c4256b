/**
 * The overlap of a window with the previous one. It covers differing clocks and changes that a
 * provider shows late; a registration that is read twice does no harm.
 */
const overlapMs = 60_000;

/**
 * Returns the beginning of the window whose changes are requested.
 *
 * @param last when the previous crawl began; null for the first crawl
 * @returns undefined to request everything
 */
export const changedSince = (last: Date | null): Date | undefined =>
  last ? new Date(last.getTime() - overlapMs) : undefined;
