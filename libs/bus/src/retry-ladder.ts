/** The delays before an event that failed is handled again, one after the other: milliseconds. */
export const retryDelays = [1_000, 10_000, 60_000, 600_000] as const;

/** The delay before the next attempt after `attempts` failures; null when the event is parked. */
export function nextDelay(attempts: number): number | null {
  return retryDelays[attempts - 1] ?? null;
}
