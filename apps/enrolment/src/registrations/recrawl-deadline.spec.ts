import { describe, expect, it } from 'vitest';
import { recrawlDeadline } from './recrawl-deadline.ts';

describe('recrawlDeadline', () => {
  it('leaves a third of the remaining time to the index that follows', () => {
    expect(recrawlDeadline(1_000, 10_000)).toBe(7_000);
  });

  it('recrawlDeadline is never before now, and null without a deadline', () => {
    expect(recrawlDeadline(1_000, 400)).toBe(1_000);
    expect(recrawlDeadline(1_000, null)).toBeNull();
  });
});
