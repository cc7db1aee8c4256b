import type { Activity } from '../packages/course-structure.ts';
import type { Completion, Result, Success } from './result.ts';
import type { Runtime } from './scorm-2004-runtime.ts';

/** The package's rules for a SCO; null where there is none. */
export type PassingRules = Pick<Activity, 'scaledPassingScore' | 'completionThreshold'>;

/**
 * Returns the result that the run-time data of a SCO report. Where the content reports a measure
 * and the package has a rule for it, the rule decides (SCORM 2004 RTE 4.2.4.1 and 4.2.22.1); the
 * mastery score of SCORM 1.2 is already part of the status that the player stores. A SCO whose
 * attempt ended without a reported completion is COMPLETED (SCORM 2004 SN UP.4).
 *
 * @param ended the content has ended its session and did not ask to be resumed
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
  const isUnreported = runtime.completionStatus === 'UNKNOWN';
  const isCompleted = isUnreported ? ended : runtime.completionStatus === 'COMPLETED';
  return isCompleted ? 'COMPLETED' : 'INCOMPLETE';
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

/** A share as a score of 0 to 100, rounded to six decimal places, so that 0.07 becomes exactly 7. */
export const percent = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 1e8) / 1e6;
