import { describe, expect, it } from 'vitest';
import { earlierDeadline } from './earlier-deadline.ts';

describe('earlierDeadline', () => {
  it('leaves the rest of the remaining time to what follows', () => {
    expect(earlierDeadline(2 / 3, 1_000, 10_000)).toBe(7_000);
  });

  it('earlierDeadline is never before now, and null without a deadline', () => {
    expect(earlierDeadline(2 / 3, 1_000, 400)).toBe(1_000);
    expect(earlierDeadline(2 / 3, 1_000, null)).toBeNull();
  });
});
