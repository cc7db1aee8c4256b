/** How a list of registrations is divided among turns and replicas. */
export interface ListSizes {
  /** The most pages that a replica crawls before another provider application has its turn. */
  readonly pagesPerTurn: number;
  /** The number of registrations in a window. A list of more than twice as many is divided into windows. */
  readonly windowRegistrations: number;
}

/**
 * At 200 ms a page, a turn takes less than two seconds, so that many applications on one replica soon have theirs, and
 * claiming costs little beside eight calls of the provider. A window is 100 pages of the hosted provider: dividing
 * costs half a page for each window, and a replica that takes one over is busy with it for less than a minute.
 */
export const listSizes: ListSizes = { pagesPerTurn: 8, windowRegistrations: 10_000 };

/** The injection token of {@link ListSizes}. */
export const listSizesToken = Symbol('sizes of lists');
