import type { TimeWindow } from '../due-work/claim.ts';

/** The most windows that one is divided into; each can be divided again. */
const maxWindows = 32;

/** The shortest window: a provider may compare times in whole seconds. */
const shortestMs = 1_000;

/** A part of a list, and the number of its items. */
interface LongList extends TimeWindow {
  /** The time of its first item, or earlier. */
  readonly first: Date;
  /** The time of its last item, or later. */
  readonly last: Date;
  readonly total: number;
}

/**
 * Divides a part of a list with far more items than a window should have into windows of equal length, with whole
 * seconds in between. What is at the boundary of two windows may belong to both.
 *
 * @returns one window for a part that is short enough, or within too short a time
 */
export function divideList(
  { since, until, first, last, total }: LongList,
  size: number,
): TimeWindow[] {
  const lengthMs = last.getTime() - first.getTime();
  const wanted = total > 2 * size ? Math.ceil(total / size) : 1;
  const count = Math.min(wanted, maxWindows, Math.floor(lengthMs / shortestMs));
  if (count < 2) return [{ since, until }];
  const boundaries = Array.from({ length: count - 1 }, (_, index) => {
    const at = first.getTime() + ((index + 1) / count) * lengthMs;
    return new Date(Math.floor(at / 1_000) * 1_000);
  });
  return Array.from({ length: count }, (_, index) => ({
    since: boundaries[index - 1] ?? since,
    until: boundaries[index] ?? until,
  }));
}
