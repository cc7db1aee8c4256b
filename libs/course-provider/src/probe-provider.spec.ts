import { describe, expect, it } from 'vitest';
import { skewOf } from './probe-provider.ts';

describe('the skew of a clock', () => {
  it('the skew of a clock is none for clocks that agree, whatever the fraction of the second', () => {
    for (const fraction of [0, 1, 499, 500, 999]) {
      const now = 1_800_000_000_000 + fraction;
      expect(skewOf(1_800_000_000_000, now, now)).toBe(0);
    }
  });

  it('the skew of a clock is counted from the middle of the call', () => {
    expect(skewOf(1_000_000, 900_500, 900_500)).toBe(100);
    expect(skewOf(1_000_000, 1_060_000, 1_061_000)).toBe(-60);
    expect(skewOf(1_000_000, 996_500, 1_004_500)).toBe(0);
  });
});
