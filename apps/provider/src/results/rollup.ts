import { noResult, type Completion, type Result, type Success } from './result.ts';

/**
 * The result of a whole, made of the results of its SCOs in any order:
 *
 * - completed when every SCO is; unknown before the first report; else incomplete.
 * - failed when any SCO is failed; passed when at least one is passed and every other one is
 *   passed too, or is completed without a word about success; else unknown.
 * - the score is the average of the scores that were reported: with one scored SCO, its own.
 * - progress is the average over all SCOs; one that reported none counts as done once completed.
 */
export function rollUp(parts: readonly Result[]): Result {
  if (parts.length === 0) return noResult;
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

/** Rounded to six digits, so that thirds add up to a whole. */
const average = (values: readonly number[]) =>
  Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1e6) / 1e6;
