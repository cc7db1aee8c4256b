import { describe, expect, it } from 'vitest';
import { spareCallsMs } from '@registrar/contracts';
import { type Bucket, bucketSize, refill, waitForCall } from './token-bucket.ts';

const empty: Bucket = { tokens: 0, refilledAt: 0 };

describe('a token bucket', () => {
  it.each([1, 2, 3, 10, 77, 1_000])(
    'A bucket with a limit of %i calls a second never grants more in any second, nor with those to spare from before it',
    (limit) => {
      const granted: number[] = [];
      let bucket: Bucket = { tokens: bucketSize(limit), refilledAt: 0 };
      for (let now = 0; now < 5_000; now += 1) {
        bucket = refill(bucket, limit, now);
        // The greediest caller: after a pause, it takes whatever there is.
        while (bucket.tokens >= 1 && now > 1_000) {
          bucket = { ...bucket, tokens: bucket.tokens - 1 };
          granted.push(now);
        }
      }
      const inSecondFrom = (start: number) =>
        granted.filter((at) => at >= start - spareCallsMs && at < start + 1_000).length;
      expect(Math.max(...granted.map(inSecondFrom))).toBeLessThanOrEqual(limit);
      expect(granted.length).toBeGreaterThan(limit * 4 * 0.8 - 1);
    },
  );

  it('a token bucket is refilled up to its size', () => {
    expect(refill(empty, 10, 100).tokens).toBeCloseTo(0.81);
    expect(refill(empty, 10, 3_600_000).tokens).toBe(1);
    expect(refill(empty, 1_000, 3_600_000).tokens).toBe(100);
  });

  it('tells the time until the next call, and holds one after it', () => {
    const wait = waitForCall(empty, 10);
    expect(wait).toBe(124);
    expect(refill(empty, 10, wait).tokens).toBeGreaterThanOrEqual(1);
    expect(waitForCall({ ...empty, tokens: 1 }, 10)).toBe(0);
  });

  it('keeps its tokens when the clock goes back', () => {
    expect(refill({ tokens: 1, refilledAt: 5_000 }, 10, 0)).toEqual({
      tokens: 1,
      refilledAt: 5_000,
    });
  });
});
