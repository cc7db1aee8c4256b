import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { mergeResult, emptyResult, type Result } from './result.ts';
import type { Activity } from '../packages/course-structure.ts';
import { rollUp, rollUpActivity } from './rollup.ts';

const part = (given: Partial<Result>): Result => ({ ...emptyResult, ...given });
const passed = part({ completion: 'COMPLETED', success: 'PASSED', score: 90, progress: 1 });
const failed = part({ completion: 'COMPLETED', success: 'FAILED', score: 20, progress: 1 });
const read = part({ completion: 'COMPLETED' });
const open = part({ completion: 'INCOMPLETE', progress: 0.5 });

describe('rollUp', () => {
  it('returns the result of a single SCO unchanged', () => {
    expect(rollUp([passed])).toEqual(passed);
    expect(rollUp([failed])).toEqual(failed);
    expect(rollUp([emptyResult])).toEqual(emptyResult);
  });

  it('returns an empty result without SCOs or reports', () => {
    expect(rollUp([])).toEqual(emptyResult);
    expect(rollUp([emptyResult, emptyResult])).toEqual(emptyResult);
  });

  it('returns COMPLETED if every SCO is COMPLETED', () => {
    expect(rollUp([passed, read]).completion).toBe('COMPLETED');
    expect(rollUp([passed, open]).completion).toBe('INCOMPLETE');
    expect(rollUp([passed, emptyResult]).completion).toBe('INCOMPLETE');
    expect(rollUp([open, emptyResult]).completion).toBe('INCOMPLETE');
  });

  it('returns FAILED if any SCO is, and PASSED if every SCO is PASSED or only COMPLETED', () => {
    expect(rollUp([passed, passed]).success).toBe('PASSED');
    expect(rollUp([passed, read]).success).toBe('PASSED');
    expect(rollUp([passed, emptyResult]).success).toBe('UNKNOWN');
    expect(rollUp([passed, open]).success).toBe('UNKNOWN');
    expect(rollUp([read, read]).success).toBe('UNKNOWN');
    expect(rollUp([passed, failed]).success).toBe('FAILED');
    expect(rollUp([failed, emptyResult]).success).toBe('FAILED');
  });

  it('averages the reported scores', () => {
    expect(rollUp([passed, failed, read]).score).toBe(55);
    expect(rollUp([passed, open]).score).toBe(90);
    expect(rollUp([read, open]).score).toBeNull();
  });

  it('averages the progress, counting COMPLETED as 1', () => {
    expect(rollUp([read, open]).progress).toBe(0.75);
    expect(rollUp([read, emptyResult, emptyResult]).progress).toBe(0.333333);
  });

  it('ignores the order of the SCOs', () => {
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

describe('rollUpActivity', () => {
  const item = (id: string, parts: Partial<Activity> = {}): Activity => ({
    id,
    title: id,
    visible: true,
    launchData: '',
    masteryScore: null,
    resource: { id: 'files', href: 'index.html', type: 'SCO' },
    scaledPassingScore: null,
    completionThreshold: null,
    maxTimeAllowed: '',
    timeLimitAction: '',
    children: [],
    ...parts,
  });
  const course = (...children: Activity[]) => item('course', { resource: null, children });
  const hidden = (id: string) => item(id, { visible: false });
  const results = (given: Record<string, Result>) => new Map(Object.entries(given));

  it('returns COMPLETED if every item is COMPLETED that the table of contents shows', () => {
    const parts = course(item('a'), hidden('b'), item('c'));
    expect(rollUpActivity(parts, results({ a: read, c: read })).completion).toBe('COMPLETED');
    expect(rollUpActivity(parts, results({ a: read, b: open, c: passed }))).toMatchObject({
      completion: 'COMPLETED',
      success: 'PASSED',
    });
    expect(rollUpActivity(parts, results({ a: read, b: read })).completion).toBe('INCOMPLETE');
  });

  it('counts the results of hidden items that are COMPLETED', () => {
    const parts = course(item('a'), hidden('test'));
    expect(rollUpActivity(parts, results({ a: read, test: failed }))).toMatchObject({
      completion: 'COMPLETED',
      success: 'FAILED',
      score: 20,
    });
  });

  it('counts every item if all are hidden', () => {
    const parts = course(hidden('a'), hidden('b'));
    expect(rollUpActivity(parts, results({ a: read })).completion).toBe('INCOMPLETE');
    expect(rollUpActivity(hidden('a'), results({ a: open })).completion).toBe('INCOMPLETE');
    expect(rollUpActivity(parts, results({})).completion).toBe('UNKNOWN');
  });
});

describe('mergeResult', () => {
  it('replaces the values that a new report contains', () => {
    expect(mergeResult(open, passed)).toEqual(passed);
    expect(mergeResult(failed, passed)).toEqual(passed);
    expect(mergeResult(passed, failed)).toEqual(failed);
  });

  it('keeps completion, success and score that a new report leaves open', () => {
    expect(mergeResult(passed, emptyResult)).toEqual(passed);
    expect(mergeResult(passed, open)).toEqual({ ...passed, progress: 0.5 });
  });
});
