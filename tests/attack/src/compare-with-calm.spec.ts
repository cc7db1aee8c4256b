import { describe, expect, it } from 'vitest';
import type { Observed } from './bystander.ts';
import { compareWithCalm, tooMuchTaken } from './compare-with-calm.ts';

/**
 * Observes requests of 10 ms in calm times, and of 10 ms times the next of `ratios` during an attack. Those of the first
 * moments take a second.
 */
function observe(ratios: readonly number[], firstStatus = 200) {
  const left = [...ratios];
  let attacked = false;
  const observer = {
    observe: async (): Promise<readonly Observed[]> => [
      { status: attacked ? firstStatus : 200, ms: 1_000, atMs: 999 },
      { status: 200, ms: attacked ? 10 * (left.shift() ?? NaN) : 10, atMs: 1_000 },
    ],
  };
  const attack = async () => {
    attacked = true;
    return async () => {
      attacked = false;
    };
  };
  return compareWithCalm(observer, { count: 3, seconds: 1 }, attack);
}

describe('a comparison with calm times', () => {
  it('ends after its rounds when their median is as promised', async () => {
    const comparison = await observe([9, 1, 1.5]);
    expect(comparison.ratios).toEqual([9, 1, 1.5]);
    expect(tooMuchTaken(comparison)).toEqual([]);
  });

  it('counts three times the rounds when the median is above the promise', async () => {
    const disturbed = await observe([2, 2, 1, 1, 1, 1, 1, 9, 9]);
    expect(disturbed.ratios).toEqual([2, 2, 1, 1, 1, 1, 1, 9, 9]);
    expect(tooMuchTaken(disturbed)).toEqual([]);
    const attacked = await observe([2, 2, 1, 1, 1, 1, 2, 2, 1.6]);
    expect(tooMuchTaken(attacked)).toEqual([expect.stringContaining('1.60 times')]);
  });

  it('fails when requests of the bystander fail', async () => {
    const comparison = await observe([1, 1, 1], 503);
    expect(tooMuchTaken(comparison)).toEqual([expect.stringContaining('3 of 6 requests')]);
    const none = { ...(await observe([1, 1, 1])), ratios: [NaN, NaN, NaN] };
    expect(tooMuchTaken(none)).toEqual([expect.stringContaining('NaN times')]);
  });
});
