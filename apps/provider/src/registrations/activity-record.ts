import {
  type Activity,
  type CourseStructure,
  launchablesOf,
  type LearningStandard,
} from '../packages/course-structure.ts';
import { type Completion, noResult, type Success } from '../results/result.ts';
import { rollUp } from '../results/rollup.ts';
import { timespanOf } from '../results/timespan.ts';
import type { ScoState } from './registration-row.ts';
import { type RuntimeRecord, runtimeRecord } from './runtime-record.ts';

/** What a request wants to see of a registration's activities. */
export interface ActivityParts {
  /** Not only the course as a whole. */
  readonly children: boolean;
  readonly runtime: boolean;
  /** Within the runtime. */
  readonly interactionsAndObjectives: boolean;
}

/** An item of the course, and how the learner stands in it. */
export interface ActivityRecord {
  readonly id: string;
  readonly title: string;
  readonly attempts: number;
  readonly activityCompletion: Completion;
  readonly activitySuccess: Success;
  readonly score?: { readonly scaled: number };
  readonly timeTracked: string;
  readonly completionAmount: { readonly scaled: number };
  readonly suspended: boolean;
  readonly children: readonly ActivityRecord[];
  readonly objectives: readonly never[];
  readonly staticProperties: object;
  readonly runtime?: RuntimeRecord;
}

/** The course as a whole, with its items where they were asked for. */
export function activityRecord(
  { root, standard }: CourseStructure,
  states: ReadonlyMap<string, ScoState>,
  parts: ActivityParts,
): ActivityRecord {
  const record = (activity: Activity): ActivityRecord => {
    const met = launchablesOf(activity).map(({ id }) => states.get(id));
    const touched = met.filter((state) => state !== undefined);
    const result = rollUp(met.map((state) => state ?? noResult));
    const own = states.get(activity.id);
    return {
      id: activity.id,
      title: activity.title,
      attempts: Math.max(0, ...touched.map(({ attempts }) => attempts)),
      activityCompletion: result.completion,
      activitySuccess: result.success,
      ...(result.score !== null && { score: { scaled: result.score } }),
      timeTracked: timespanOf(touched.reduce((sum, { seconds }) => sum + seconds, 0)),
      completionAmount: { scaled: result.progress ?? 0 },
      suspended: touched.some(({ suspended }) => suspended),
      children: parts.children ? activity.children.map(record) : [],
      objectives: [],
      staticProperties: staticProperties(activity, standard),
      ...(parts.runtime && own?.runtime && { runtime: runtimeRecord(standard, own, parts) }),
    };
  };
  return record(root);
}

function staticProperties(activity: Activity, standard: LearningStandard) {
  const passingScore =
    standard === 'SCORM12'
      ? activity.masteryScore !== null
        ? activity.masteryScore / 100
        : null
      : activity.scaledPassingScore;
  return {
    completionThreshold: activity.completionThreshold?.toString() ?? '',
    launchData: activity.launchData,
    maxTimeAllowed: activity.maxTimeAllowed,
    scaledPassingScore: passingScore ?? -1,
    scaledPassingScoreUsed: passingScore !== null,
    timeLimitAction: activity.timeLimitAction,
  };
}
