import {
  type Activity,
  type CourseStructure,
  launchablesOf,
  type LearningStandard,
} from '../packages/course-structure.ts';
import type { Completion, Result, Success } from '../results/result.ts';
import { rollUpActivity } from '../results/rollup.ts';
import { timespanOf } from '../results/timespan.ts';
import type { RegistrationDetails } from './registration-details.ts';
import type { ScoStateRow } from './registration-row.ts';
import { type RuntimeRecord, toRuntimeRecord } from './runtime-record.ts';

/** An item of the course in the API, with the learner's result in it. */
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

/**
 * Returns the course as an activity, with its items if they were requested.
 *
 * @param clusters the results of groups of items to which the sequencing of the course leads, by id
 */
export function toActivityRecord(
  { root, standard }: CourseStructure,
  states: ReadonlyMap<string, ScoStateRow>,
  clusters: ReadonlyMap<string, Result>,
  details: RegistrationDetails,
): ActivityRecord {
  const record = (activity: Activity): ActivityRecord => {
    const opened = launchablesOf(activity).flatMap(({ id }) => states.get(id) ?? []);
    const scos = rollUpActivity(activity, states);
    const cluster = clusters.get(activity.id);
    const result = cluster ? { ...cluster, progress: cluster.progress ?? scos.progress } : scos;
    const own = states.get(activity.id);
    return {
      id: activity.id,
      title: activity.title,
      attempts: Math.max(0, ...opened.map(({ attempts }) => attempts)),
      activityCompletion: result.completion,
      activitySuccess: result.success,
      ...(result.score !== null && { score: { scaled: result.score } }),
      timeTracked: timespanOf(opened.reduce((sum, { seconds }) => sum + seconds, 0)),
      completionAmount: { scaled: result.progress ?? 0 },
      suspended: opened.some(({ suspended }) => suspended),
      children: details.includeChildResults ? activity.children.map(record) : [],
      objectives: [],
      staticProperties: staticProperties(activity, standard),
      ...(details.includeRuntime &&
        own?.runtime && { runtime: toRuntimeRecord(standard, own, details) }),
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
