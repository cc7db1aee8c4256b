import type { Activity, LearningStandard } from '../packages/course-structure.ts';
import type { RuntimeData } from '../results/runtime.ts';
import type { GlobalObjectives } from '../results/global-objectives.ts';
import type { AttemptStart } from './attempt.ts';
import { initialObjectives } from './initial-objectives.ts';
import type { LaunchSession } from './launch-sessions.ts';

/** The session's values in the data model of a SCO. */
export type SessionContext = Pick<LaunchSession, 'learner' | 'tracking'> & {
  readonly globalObjectives: GlobalObjectives;
};

/**
 * Returns the data model with which a SCO starts, with the names of its standard and without empty
 * values: the data of earlier sessions, and the elements that the player sets. Session time and
 * exit are reset, because they belong to one session.
 */
export function initialRuntime(
  standard: LearningStandard,
  activity: Activity,
  { runtime, entry }: Pick<AttemptStart, 'runtime' | 'entry'>,
  { learner, tracking, globalObjectives }: SessionContext,
): RuntimeData {
  const credit = tracking ? 'credit' : 'no-credit';
  const mode = tracking ? 'normal' : 'review';
  const { core, ...rest } = runtime;
  const data: RuntimeData =
    standard === 'SCORM12'
      ? {
          ...rest,
          core: {
            ...(isRecord(core) ? core : {}),
            session_time: '',
            exit: '',
            student_id: learner.id,
            student_name: learner.name,
            credit,
            lesson_mode: mode,
            entry,
          },
          launch_data: activity.launchData,
          student_data: {
            mastery_score: activity.masteryScore?.toString() ?? '',
            max_time_allowed: activity.maxTimeAllowed,
            time_limit_action: activity.timeLimitAction,
          },
        }
      : {
          ...runtime,
          session_time: '',
          exit: '',
          learner_id: learner.id,
          learner_name: learner.name,
          credit,
          mode,
          entry,
          launch_data: activity.launchData,
          scaled_passing_score: activity.scaledPassingScore?.toString() ?? '',
          completion_threshold: activity.completionThreshold?.toString() ?? '',
          max_time_allowed: activity.maxTimeAllowed,
          time_limit_action: activity.timeLimitAction,
          objectives: initialObjectives(
            runtime['objectives'],
            activity.objectives ?? [],
            globalObjectives,
          ),
        };
  return withoutEmpty(data);
}

/**
 * Returns the data of earlier sessions without their exit, as a session begins with: until its own exit is stored, that
 * of the last one must not decide whether it is suspended.
 */
export function withoutExit(runtime: RuntimeData): RuntimeData {
  const { exit: _exit, core, ...rest } = runtime;
  if (!isRecord(core)) return rest;
  const { exit: _coreExit, ...kept } = core;
  return { ...rest, core: kept };
}

type Json = RuntimeData[string];
type JsonRecord = Record<string, Json>;

const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes empty values: the player rejects them for numbers, and uses defaults for absent ones. */
function withoutEmpty(data: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(data)
      .filter(([, value]) => value !== '' && value !== null)
      .map(([name, value]) => [name, isRecord(value) ? withoutEmpty(value) : value]),
  );
}
