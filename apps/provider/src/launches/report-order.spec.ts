import { describe, expect, it } from 'vitest';
import { isNewer } from './save-activity-report.ts';

describe('isNewer', () => {
  it('accepts only a higher sequence number within a sitting', () => {
    expect(isNewer({ sitting: 1, sequence: 2 }, { sitting: 1, sequence: 1 })).toBe(true);
    expect(isNewer({ sitting: 1, sequence: 2 }, { sitting: 1, sequence: 2 })).toBe(false);
    expect(isNewer({ sitting: 1, sequence: 1 }, { sitting: 1, sequence: 2 })).toBe(false);
  });

  it('accepts a report of a later sitting and rejects one of an earlier sitting', () => {
    expect(isNewer({ sitting: 2, sequence: 1 }, { sitting: 1, sequence: 9 })).toBe(true);
    expect(isNewer({ sitting: 1, sequence: 9 }, { sitting: 2, sequence: 1 })).toBe(false);
  });
});
