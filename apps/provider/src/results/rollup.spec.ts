import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { mergeResult, noResult, type Result } from './result.ts';
import { rollUp } from './rollup.ts';

const part = (given: Partial<Result>): Result => ({ ...noResult, ...given });
const passed = part({ completion: 'COMPLETED', success: 'PASSED', score: 90, progress: 1 });
const failed = part({ completion: 'COMPLETED', success: 'FAILED', score: 20, progress: 1 });
const read = part({ completion: 'COMPLETED' });
const open = part({ completion: 'INCOMPLETE', progress: 0.5 });

describe('the result of a whole', () => {
  it('is that of its only SCO', () => {
    expect(rollUp([passed])).toEqual(passed);
    expect(rollUp([failed])).toEqual(failed);
    expect(rollUp([noResult])).toEqual(noResult);
  });

  it('is unknown without any SCO or report', () => {
    expect(rollUp([])).toEqual(noResult);
    expect(rollUp([noResult, noResult])).toEqual(noResult);
  });

  it('is complete when every SCO is', () => {
    expect(rollUp([passed, read]).completion).toBe('COMPLETED');
    expect(rollUp([passed, open]).completion).toBe('INCOMPLETE');
    expect(rollUp([passed, noResult]).completion).toBe('INCOMPLETE');
    expect(rollUp([open, noResult]).completion).toBe('INCOMPLETE');
  });

  it('is failed with any failed SCO, and passed when all that count are', () => {
    expect(rollUp([passed, passed]).success).toBe('PASSED');
    expect(rollUp([passed, read]).success).toBe('PASSED');
    expect(rollUp([passed, noResult]).success).toBe('UNKNOWN');
    expect(rollUp([passed, open]).success).toBe('UNKNOWN');
    expect(rollUp([read, read]).success).toBe('UNKNOWN');
    expect(rollUp([passed, failed]).success).toBe('FAILED');
    expect(rollUp([failed, noResult]).success).toBe('FAILED');
  });

  it('has the average of the scores that were reported', () => {
    expect(rollUp([passed, failed, read]).score).toBe(55);
    expect(rollUp([passed, open]).score).toBe(90);
    expect(rollUp([read, open]).score).toBeNull();
  });

  it('has the average of the progress, where completed counts as done', () => {
    expect(rollUp([read, open]).progress).toBe(0.75);
    expect(rollUp([read, noResult, noResult]).progress).toBe(0.333333);
  });

  it('does not depend on the order of its SCOs', () => {
    const result = fc.record({
      completion: fc.constantFrom('UNKNOWN', 'INCOMPLETE', 'COMPLETED'),
      success: fc.constantFrom('UNKNOWN', 'FAILED', 'PASSED'),
      score: fc.option(fc.integer({ min: 0, max: 100 })),
      progress: fc.option(fc.integer({ min: 0, max: 4 }).map((quarter) => quarter / 4)),
    }) satisfies fc.Arbitrary<Result>;
    fc.assert(
      fc.property(fc.array(result), (parts) => {
        expect(rollUp(parts.toReversed())).toEqual(rollUp(parts));
      }),
    );
  });
});

describe('a new report of a SCO', () => {
  it('replaces what it speaks of', () => {
    expect(mergeResult(open, passed)).toEqual(passed);
    expect(mergeResult(failed, passed)).toEqual(passed);
    expect(mergeResult(passed, failed)).toEqual(failed);
  });

  it('takes nothing back', () => {
    expect(mergeResult(passed, noResult)).toEqual(passed);
    expect(mergeResult(passed, open)).toEqual({ ...passed, progress: 0.5 });
  });
});
