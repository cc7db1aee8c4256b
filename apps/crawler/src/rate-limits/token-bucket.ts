/** The calls that a provider application has left. Times are milliseconds since the epoch. */
export interface Bucket {
  readonly tokens: number;
  readonly refilledAt: number;
}

/** Whether a caller waits for the result, or the crawler works in the background. */
export type Lane = 'interactive' | 'background';

/** The bucket holds the calls of this many seconds. */
const burstSeconds = 2;

/** The fraction of the bucket that is reserved for interactive calls. */
const interactiveFraction = 0.25;

/** @param rate calls per second */
export const bucketSize = (rate: number): number => rate * burstSeconds;

/**
 * Takes up to `wanted` calls out of a bucket.
 *
 * @returns the number of calls granted and the remaining bucket; `wait`: milliseconds until one
 * more can be granted, 0 when some were granted
 */
export function takeTokens(
  bucket: Bucket,
  request: { now: number; rate: number; wanted: number; lane: Lane },
): { bucket: Bucket; granted: number; wait: number } {
  const { now, rate, wanted, lane } = request;
  const size = bucketSize(rate);
  const elapsedSeconds = Math.max(0, now - bucket.refilledAt) / 1000;
  const tokens = Math.min(size, bucket.tokens + elapsedSeconds * rate);
  const reserved = lane === 'background' ? size * interactiveFraction : 0;
  const granted = Math.max(0, Math.min(wanted, Math.floor(tokens - reserved)));
  const missing = granted > 0 ? 0 : reserved + 1 - tokens;
  return {
    bucket: { tokens: tokens - granted, refilledAt: Math.max(now, bucket.refilledAt) },
    granted,
    wait: Math.ceil((missing / rate) * 1000),
  };
}
