import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from './clock.ts';
import { TokenBuckets } from './token-buckets.ts';

const size = { capacity: 1_000, refillPerSecond: 100 };

describe('token buckets', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('token buckets are spent by each account of its own, and refill with time', () => {
    let now = 0;
    vi.spyOn(clock, 'monotonic').mockImplementation(() => now);
    const buckets = new TokenBuckets();
    buckets.spend('a', size, 900);
    expect(buckets.left('a', size)).toBe(100);
    buckets.spend('a', size, 600);
    expect([buckets.left('a', size), buckets.left('b', size)]).toEqual([-500, 1_000]);
    now = 5_000;
    expect(buckets.left('a', size)).toBe(0);
    now = 5_010;
    expect(buckets.left('a', size)).toBe(1);
    now = 60_000;
    expect(buckets.left('a', size)).toBe(1_000);
  });

  it('token buckets follow a change of their size', () => {
    let now = 0;
    vi.spyOn(clock, 'monotonic').mockImplementation(() => now);
    const buckets = new TokenBuckets();
    buckets.spend('a', size, 600);
    const half = { capacity: 500, refillPerSecond: 50 };
    expect(buckets.left('a', half)).toBe(-100);
    now = 4_000;
    expect([buckets.left('a', half), buckets.left('a', size)]).toEqual([100, 800]);
  });

  it('token buckets do not depend on the wall clock, which may be set back', () => {
    const buckets = new TokenBuckets();
    buckets.spend('a', size, 900);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    expect(buckets.left('a', size)).toBeGreaterThanOrEqual(100);
  });

  it('token buckets ignore a cost below zero', () => {
    const buckets = new TokenBuckets();
    buckets.spend('a', { capacity: 1, refillPerSecond: 0 }, -50);
    expect(buckets.left('a', { capacity: 1, refillPerSecond: 0 })).toBe(1);
  });
});
