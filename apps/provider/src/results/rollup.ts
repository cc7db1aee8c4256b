import type { scoreRollupModes, statusRollupModes } from '../configuration/result-settings.ts';
import { type Activity, launchablesOf } from '../packages/course-structure.ts';
import { emptyResult, type Completion, type Result, type Success } from './result.ts';

/** How the results of SCOs become the result of their course, as its settings say. */
export interface RollupRules {
  /** When the course is completed. */
  readonly statusMode: (typeof statusRollupModes)[number];
  /** 0 to 100: the score that the modes with a threshold demand. */
  readonly thresholdScore: number;
  /** Whether the course is passed once it is completed. */
  readonly completedIsPassed: boolean;
  readonly scoreMode: (typeof scoreRollupModes)[number];
}

/** The rules of a course without settings, and of the items in every course. */
const defaultRules: RollupRules = {
  statusMode: 'COMPLETE_WHEN_ALL_UNITS_COMPLETE',
  thresholdScore: 100,
  completedIsPassed: false,
  scoreMode: 'AVERAGE_SCORE_OF_ALL_UNITS_WITH_SCORES',
};

/**
 * Rolls up the results of an activity and those below it. Items that the table of contents hides
 * count once they are completed: learners cannot open them by themselves, so that they must not
 * keep the course from being completed. If all are hidden, all count.
 *
 * @param results the results of launchable activities, by id; absent if one was not opened
 * @param rules those of the course, if the activity is the whole course
 */
export function rollUpActivity(
  activity: Activity,
  results: ReadonlyMap<string, Result>,
  rules = defaultRules,
): Result {
  const launchables = launchablesOf(activity);
  const resultOf = ({ id }: Activity) => results.get(id) ?? emptyResult;
  const counted = launchables.filter(
    (part) => part.visible || resultOf(part).completion === 'COMPLETED',
  );
  const hasVisible = launchables.some(({ visible }) => visible);
  return rollUp((hasVisible ? counted : launchables).map(resultOf), rules);
}

/**
 * Rolls the results of SCOs up to the result of the course or part that contains them.
 *
 * - Completion: COMPLETED if the rules say so, by default if every SCO is; UNKNOWN before the first report; else
 *   INCOMPLETE.
 * - Success: FAILED if any SCO is; PASSED if at least one SCO is, and every other one is PASSED, or
 *   COMPLETED without a reported success; else UNKNOWN. With `completedIsPassed`, PASSED once COMPLETED.
 * - Score: by default the average of the reported scores.
 * - Progress: the average over all SCOs. A SCO without reported progress counts as 1 once it is
 *   COMPLETED, else as 0.
 */
export function rollUp(parts: readonly Result[], rules = defaultRules): Result {
  if (parts.length === 0) return emptyResult;
  const score = scoreOf(parts, rules);
  const completion = completionOf(parts, score, rules);
  const isPassed = rules.completedIsPassed && completion === 'COMPLETED';
  const untouched = parts.every(
    ({ completion, progress }) => completion === 'UNKNOWN' && !progress,
  );
  return {
    completion,
    success: isPassed ? 'PASSED' : successOf(parts),
    score,
    progress: untouched ? null : average(parts.map(progressOf)),
  };
}

function completionOf(
  parts: readonly Result[],
  score: number | null,
  rules: RollupRules,
): Completion {
  if (isCompleted(parts, score, rules)) return 'COMPLETED';
  return parts.every(({ completion }) => completion === 'UNKNOWN') ? 'UNKNOWN' : 'INCOMPLETE';
}

function isCompleted(
  parts: readonly Result[],
  score: number | null,
  { statusMode, thresholdScore }: RollupRules,
): boolean {
  const isMet = score !== null && score >= thresholdScore;
  const allCompleted = parts.every(({ completion }) => completion === 'COMPLETED');
  switch (statusMode) {
    case 'COMPLETE_WHEN_ALL_UNITS_COMPLETE':
      return allCompleted;
    case 'COMPLETE_WHEN_ALL_UNITS_COMPLETE_AND_NOT_FAILED':
      return allCompleted && parts.every(({ success }) => success !== 'FAILED');
    case 'COMPLETE_WHEN_ALL_UNITS_ARE_PASSED':
      return parts.every(({ success }) => success === 'PASSED');
    case 'COMPLETE_WHEN_THRESHOLD_SCORE_IS_MET':
      return isMet;
    case 'COMPLETE_WHEN_ALL_UNITS_COMPLETE_AND_THRESHOLD_SCORE_IS_MET':
      return allCompleted && isMet;
  }
}

function scoreOf(parts: readonly Result[], { scoreMode }: RollupRules): number | null {
  const scores = parts.flatMap(({ score }) => score ?? []);
  if (scores.length === 0) return null;
  switch (scoreMode) {
    case 'AVERAGE_SCORE_OF_ALL_UNITS_WITH_SCORES':
      return average(scores);
    case 'AVERAGE_SCORE_OF_ALL_UNITS_WITH_NONZERO_SCORES': {
      const positive = scores.filter((score) => score > 0);
      return positive.length > 0 ? average(positive) : 0;
    }
    case 'AVERAGE_SCORE_OF_ALL_UNITS':
      return average(parts.map(({ score }) => score ?? 0));
    case 'LAST_SCO_SCORE':
      return parts.at(-1)?.score ?? null;
  }
}

function successOf(parts: readonly Result[]): Success {
  if (parts.some(({ success }) => success === 'FAILED')) return 'FAILED';
  const somePassed = parts.some(({ success }) => success === 'PASSED');
  const allDone = parts.every(
    ({ success, completion }) => success === 'PASSED' || completion === 'COMPLETED',
  );
  return somePassed && allDone ? 'PASSED' : 'UNKNOWN';
}

const progressOf = ({ progress, completion }: Result) =>
  progress ?? (completion === 'COMPLETED' ? 1 : 0);

/** Rounded to six decimal places, so that three thirds add up to 1. */
const average = (values: readonly number[]) =>
  Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1e6) / 1e6;
