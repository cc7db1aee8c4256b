import type { Completion, Result, Success } from './result.ts';
import type { Runtime } from './runtime.ts';

/** What the package demands of a SCO; null where it demands nothing. */
export interface PassingRules {
  /** -1 to 1: SCORM 2004's minimum measure of the primary objective. */
  readonly scaledPassingScore: number | null;
  /** 0 to 1: SCORM 2004's minimum progress measure. */
  readonly completionThreshold: number | null;
}

/**
 * The result that a SCO's run-time data report. What the package demands decides where content
 * reports a measure for it (SCORM 2004 RTE 4.2.4.1 and 4.2.22.1); SCORM 1.2's mastery score is
 * already in the status that the player stores. A SCO that ended for good without a word about
 * completion is complete (SCORM 2004 SN UP.4).
 *
 * @param ended the content has ended its session and does not ask to be resumed
 */
export function scoResult(runtime: Runtime, rules: PassingRules, ended: boolean): Result {
  return {
    completion: completionOf(runtime, rules.completionThreshold, ended),
    success: successOf(runtime, rules.scaledPassingScore),
    score: scoreOf(runtime),
    progress: runtime.progress,
  };
}

function completionOf(runtime: Runtime, threshold: number | null, ended: boolean): Completion {
  if (threshold !== null && runtime.progress !== null) {
    return runtime.progress >= threshold ? 'COMPLETED' : 'INCOMPLETE';
  }
  switch (runtime.completionStatus) {
    case 'COMPLETED':
      return 'COMPLETED';
    case 'INCOMPLETE':
    case 'BROWSED':
    case 'NOT_ATTEMPTED':
      return 'INCOMPLETE';
    case 'UNKNOWN':
      return ended ? 'COMPLETED' : 'INCOMPLETE';
  }
}

function successOf(runtime: Runtime, passingScore: number | null): Success {
  if (passingScore === null) return runtime.success;
  if (runtime.score.scaled === null) return 'UNKNOWN';
  return runtime.score.scaled >= passingScore ? 'PASSED' : 'FAILED';
}

function scoreOf({ score: { scaled, raw, min, max } }: Runtime): number | null {
  if (scaled !== null) return percent(scaled);
  if (raw === null || min === null || max === null || max <= min) return null;
  return percent((raw - min) / (max - min));
}

/** Six digits are kept, so that 0.07 is 7 and nothing beside it. */
const percent = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 1e8) / 1e6;
