import * as z from 'zod';

export const completion = z.enum(['UNKNOWN', 'INCOMPLETE', 'COMPLETED']);
export type Completion = z.output<typeof completion>;

export const success = z.enum(['UNKNOWN', 'FAILED', 'PASSED']);
export type Success = z.output<typeof success>;

/** A learner's result in one SCO, in a part of a course, or in the whole course. */
export interface Result {
  readonly completion: Completion;
  readonly success: Success;
  /** 0 to 100; null if none was reported. */
  readonly score: number | null;
  /** The completed share, 0 to 1; null if none was reported. */
  readonly progress: number | null;
}

export const emptyResult: Result = {
  completion: 'UNKNOWN',
  success: 'UNKNOWN',
  score: null,
  progress: null,
};

/**
 * Returns the result of a SCO after a new report. The newest report wins, except that completion
 * is never revoked, and that UNKNOWN and null values of a report change nothing.
 */
export function mergeResult(before: Result, report: Result): Result {
  const completed = before.completion === 'COMPLETED' || report.completion === 'COMPLETED';
  return {
    completion: completed ? 'COMPLETED' : newest(before.completion, report.completion),
    success: newest(before.success, report.success),
    score: report.score ?? before.score,
    progress: report.progress ?? before.progress,
  };
}

const newest = <Status extends string>(before: Status, report: Status): Status =>
  report === 'UNKNOWN' ? before : report;
