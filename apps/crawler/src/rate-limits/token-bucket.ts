/** The calls that may be made now. */
export interface Bucket {
  readonly tokens: number;
  /** Milliseconds since the epoch. */
  readonly refilledAt: number;
}

/**
 * A limit is the most calls in any second. It is divided into what a full bucket holds and what is refilled in a
 * second and in the time for which calls to spare last (`spareCallsMs`); the rest, a twentieth, allows for calls that
 * reach the provider with different delays.
 */
export const burstFraction = 0.1;
const refillFraction = 0.81;

/** @param limit calls in any second */
export const bucketSize = (limit: number): number => Math.max(1, limit * burstFraction);

/** @returns calls a second */
export const refillRate = (limit: number): number => limit * refillFraction;

/** Returns a bucket with what has been refilled until `now`. */
export function refill({ tokens, refilledAt }: Bucket, limit: number, now: number): Bucket {
  const elapsedSeconds = Math.max(0, now - refilledAt) / 1_000;
  const refilled = Math.min(bucketSize(limit), tokens + elapsedSeconds * refillRate(limit));
  return { tokens: refilled, refilledAt: Math.max(now, refilledAt) };
}

/** Returns the milliseconds until a bucket holds a call; 0 if it does. */
export const waitForCall = ({ tokens }: Bucket, limit: number): number =>
  Math.ceil((Math.max(0, 1 - tokens) / refillRate(limit)) * 1_000);
