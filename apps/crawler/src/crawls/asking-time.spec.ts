import { describe, expect, it } from '@jest/globals';
import { askingEnds } from './asking-time.ts';

describe('the time for asking', () => {
  it('leaves a fifth to the way back, and a second at most', () => {
    expect(askingEnds(1_000, 1_000)).toBe(1_800);
    expect(askingEnds(1_000, 30_000)).toBe(30_000);
  });
});
