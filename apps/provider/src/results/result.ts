export type Completion = 'UNKNOWN' | 'INCOMPLETE' | 'COMPLETED';
export type Success = 'UNKNOWN' | 'FAILED' | 'PASSED';

/** What is known about how a learner did in one SCO, in a part of a course, or in all of it. */
export interface Result {
  readonly completion: Completion;
  readonly success: Success;
  /** 0 to 100; null when none was reported. */
  readonly score: number | null;
  /** How much is done, 0 to 1; null when that was not reported. */
  readonly progress: number | null;
}

export const noResult: Result = {
  completion: 'UNKNOWN',
  success: 'UNKNOWN',
  score: null,
  progress: null,
};

/**
 * The result of a SCO after a new report: what was completed once stays completed, and a report
 * that leaves something open takes nothing back. Otherwise the newest report counts.
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
