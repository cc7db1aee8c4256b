import { describe, expect, it } from '@jest/globals';
import { recrawlDeadline } from './recrawl-time.ts';

describe('the time of a recrawl', () => {
  it('leaves a third of what is left to the index that follows', () => {
    expect(recrawlDeadline(1_000, 10_000)).toBe(7_000);
  });

  it('never ends before now, and not at all without a deadline', () => {
    expect(recrawlDeadline(1_000, 400)).toBe(1_000);
    expect(recrawlDeadline(1_000, null)).toBeNull();
  });
});
