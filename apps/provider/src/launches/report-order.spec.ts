import { describe, expect, it } from '@jest/globals';
import { isNewer } from './report-order.ts';

describe('a report', () => {
  it('is taken only after the earlier ones of its sitting', () => {
    expect(isNewer({ sitting: 1, sequence: 2 }, { sitting: 1, sequence: 1 })).toBe(true);
    expect(isNewer({ sitting: 1, sequence: 2 }, { sitting: 1, sequence: 2 })).toBe(false);
    expect(isNewer({ sitting: 1, sequence: 1 }, { sitting: 1, sequence: 2 })).toBe(false);
  });

  it('of a later sitting wins, and one of an earlier sitting is too late', () => {
    expect(isNewer({ sitting: 2, sequence: 1 }, { sitting: 1, sequence: 9 })).toBe(true);
    expect(isNewer({ sitting: 1, sequence: 9 }, { sitting: 2, sequence: 1 })).toBe(false);
  });
});
