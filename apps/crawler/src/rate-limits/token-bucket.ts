/** A provider application's calls in reserve. Times are milliseconds since the epoch. */
export interface Bucket {
  readonly tokens: number;
  readonly refilledAt: number;
}

/** Who asks: somebody who waits for the answer, or the crawler by itself. */
export type Lane = 'interactive' | 'background';

/** How many seconds' worth of calls may be made at once after a rest. */
const burstSeconds = 2;

/** The part of the bucket that background work leaves to interactive calls. */
const interactiveShare = 0.25;

/** @param rate calls per second */
export const bucketSize = (rate: number): number => rate * burstSeconds;

/**
 * Takes up to `wanted` calls out of a bucket.
 *
 * @returns how many were granted and the bucket that is left; `wait`: milliseconds until one more
 * can be granted, 0 when some were
 */
export function takeTokens(
  bucket: Bucket,
  ask: { now: number; rate: number; wanted: number; lane: Lane },
): { bucket: Bucket; granted: number; wait: number } {
  const { now, rate, wanted, lane } = ask;
  const size = bucketSize(rate);
  const passed = Math.max(0, now - bucket.refilledAt) / 1000;
  const tokens = Math.min(size, bucket.tokens + passed * rate);
  const kept = lane === 'background' ? size * interactiveShare : 0;
  const granted = Math.max(0, Math.min(wanted, Math.floor(tokens - kept)));
  const missing = granted > 0 ? 0 : kept + 1 - tokens;
  return {
    bucket: { tokens: tokens - granted, refilledAt: Math.max(now, bucket.refilledAt) },
    granted,
    wait: Math.ceil((missing / rate) * 1000),
  };
}
