import { type Activity, launchablesOf } from '../packages/course-structure.ts';
import { emptyResult, type Completion, type Result, type Success } from './result.ts';

/**
 * Rolls up the results of an activity and those below it. Items that the table of contents hides
 * count once they are completed: learners cannot open them by themselves, so that they must not
 * keep the course from being completed. If all are hidden, all count.
 *
 * @param results the results of launchable activities, by id; absent if one was not opened
 */
export function rollUpActivity(activity: Activity, results: ReadonlyMap<string, Result>): Result {
  const launchables = launchablesOf(activity);
  const resultOf = ({ id }: Activity) => results.get(id) ?? emptyResult;
  const counted = launchables.filter(
    (part) => part.visible || resultOf(part).completion === 'COMPLETED',
  );
  const hasVisible = launchables.some(({ visible }) => visible);
  return rollUp((hasVisible ? counted : launchables).map(resultOf));
}

/**
 * Rolls the results of SCOs up to the result of the course or part that contains them. Their
 * order has no effect.
 *
 * - Completion: COMPLETED if every SCO is; UNKNOWN before the first report; else INCOMPLETE.
 * - Success: FAILED if any SCO is; PASSED if at least one SCO is, and every other one is PASSED, or
 *   COMPLETED without a reported success; else UNKNOWN.
 * - Score: the average of the reported scores.
 * - Progress: the average over all SCOs. A SCO without reported progress counts as 1 once it is
 *   COMPLETED, else as 0.
 */
export function rollUp(parts: readonly Result[]): Result {
  if (parts.length === 0) return emptyResult;
  const scores = parts.flatMap(({ score }) => score ?? []);
  const untouched = parts.every(
    ({ completion, progress }) => completion === 'UNKNOWN' && !progress,
  );
  return {
    completion: completionOf(parts),
    success: successOf(parts),
    score: scores.length > 0 ? average(scores) : null,
    progress: untouched ? null : average(parts.map(progressOf)),
  };
}

function completionOf(parts: readonly Result[]): Completion {
  if (parts.every(({ completion }) => completion === 'COMPLETED')) return 'COMPLETED';
  return parts.every(({ completion }) => completion === 'UNKNOWN') ? 'UNKNOWN' : 'INCOMPLETE';
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
