/**
 * How far a window reaches into the one before: milliseconds. It makes up for clocks that differ
 * and for changes that a provider shows late; what is seen twice does no harm.
 */
const overlap = 60_000;

/**
 * From when on changes are asked for, when the crawl before began at `last`; undefined to ask for
 * everything, the first time.
 */
export const changedSince = (last: Date | null): Date | undefined =>
  last ? new Date(last.getTime() - overlap) : undefined;
