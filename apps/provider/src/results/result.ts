import * as z from 'zod';
import type { failedCompletions } from '../configuration/result-settings.ts';

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

/** What the success of content implies for its completion, as the settings of its course say. */
export interface StatusRules {
  /** The completion of what is failed; UNKNOWN if its success implies none. */
  readonly failedCompletion: (typeof failedCompletions)[number];
  readonly passedIsCompleted: boolean;
}

/** Returns a result with the completion that its success implies, which may revoke an earlier one. */
export function applyStatusRules(
  result: Result,
  { failedCompletion, passedIsCompleted }: StatusRules,
): Result {
  const { success, completion } = result;
  if (success === 'PASSED' && passedIsCompleted) return { ...result, completion: 'COMPLETED' };
  const isDecided = success === 'FAILED' && failedCompletion !== 'UNKNOWN';
  return { ...result, completion: isDecided ? failedCompletion : completion };
}

const newest = <Status extends string>(before: Status, report: Status): Status =>
  report === 'UNKNOWN' ? before : report;
