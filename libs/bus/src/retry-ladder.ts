/** The delays before an event that failed is handled again, one after the other: milliseconds. */
export const retryDelaysMs = [1_000, 10_000, 60_000, 600_000] as const;

/** The delay before the next attempt after `attempts` failures; null when the event is parked. */
export function nextDelayMs(attempts: number): number | null {
  return retryDelaysMs[attempts - 1] ?? null;
}
