import { describe, expect, it } from 'vitest';
import { exponentialDelay } from './exponential-delay.ts';

describe('the exponential delay', () => {
  it('doubles with each failure up to the longest delay', () => {
    const delays = [1, 2, 3, 4, 5].map((n) => exponentialDelay(n, { first: 100, longest: 1_000 }));
    expect(delays).toEqual([100, 200, 400, 800, 1_000]);
  });

  it('stays at the longest delay after any number of failures', () => {
    expect(exponentialDelay(100_000, { first: 1, longest: 60 })).toBe(60);
  });
});
