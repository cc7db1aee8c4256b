import type { AppStatus } from '@registrar/contracts';

/** What was served in a time. */
export interface RequestCounts {
  readonly seconds: number;
  readonly total: number;
  /** Null where failures are not counted. */
  readonly failed: number | null;
  /** By upper bounds of durations in seconds, ascending: requests that took no longer. */
  readonly buckets: ReadonlyMap<number, number>;
}

/** What a process has served between two reports of it. */
export function countsBetween(
  before: { readonly status: AppStatus; readonly at: number },
  after: { readonly status: AppStatus; readonly at: number },
): RequestCounts {
  const [first, last] = [before.status.requests, after.status.requests];
  const earlier = new Map(first.buckets.map(({ upTo, count }) => [upTo, count]));
  return {
    seconds: (after.at - before.at) / 1_000,
    total: last.total - first.total,
    failed: last.failed === null ? null : last.failed - (first.failed ?? 0),
    buckets: new Map(
      last.buckets.map(({ upTo, count }) => [upTo, count - (earlier.get(upTo) ?? 0)]),
    ),
  };
}

/** Adds what several processes have served, or one in several times. The time is that of the first. */
export function sumOfCounts(all: readonly RequestCounts[]): RequestCounts {
  const buckets = new Map<number, number>();
  let [total, failed] = [0, null as number | null];
  for (const each of all) {
    total += each.total;
    if (each.failed !== null) failed = (failed ?? 0) + each.failed;
    for (const [upTo, count] of each.buckets) buckets.set(upTo, (buckets.get(upTo) ?? 0) + count);
  }
  return { seconds: all[0]?.seconds ?? 0, total, failed, buckets };
}

/**
 * The duration that a share of the requests did not exceed, interpolated within its bucket as Prometheus does: milliseconds.
 * Beyond the last bound it is that bound. Null without requests.
 */
export function quantileMs({ total, buckets }: RequestCounts, share: number): number | null {
  if (total <= 0) return null;
  const rank = share * total;
  let [lowerBound, below] = [0, 0];
  for (const [upTo, count] of [...buckets].sort(([a], [b]) => a - b)) {
    if (count >= rank) {
      const within = count > below ? (rank - below) / (count - below) : 1;
      return 1_000 * (lowerBound + (upTo - lowerBound) * within);
    }
    [lowerBound, below] = [upTo, count];
  }
  return 1_000 * lowerBound;
}
