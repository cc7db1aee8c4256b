import type { Activity, LearningStandard } from '../packages/course-structure.ts';
import type { RuntimeData } from '../results/runtime.ts';
import type { Beginning } from './attempt.ts';

/** What the data model of a SCO holds beside the content's own data. */
export interface Surroundings {
  readonly learner: { readonly id: string; readonly name: string };
  /** False in a review: the content is told that nothing counts. */
  readonly tracking: boolean;
}

/**
 * The data model with which a SCO begins, in the words of its standard, without empty values:
 * what earlier sessions left, and what the player sets. Of the last session its time and its exit
 * are not part of it: they belong to the next one.
 */
export function initialRuntime(
  standard: LearningStandard,
  activity: Activity,
  { runtime, entry }: Pick<Beginning, 'runtime' | 'entry'>,
  { learner, tracking }: Surroundings,
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
        };
  return withoutEmpty(data);
}

type Json = RuntimeData[string];
type JsonRecord = Record<string, Json>;

const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A data model takes no empty text for a number, say; a value that is left out is its default. */
function withoutEmpty(data: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(data)
      .filter(([, value]) => value !== '' && value !== null)
      .map(([name, value]) => [name, isRecord(value) ? withoutEmpty(value) : value]),
  );
}
