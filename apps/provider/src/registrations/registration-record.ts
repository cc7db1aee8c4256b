import type { CourseStructure } from '../packages/course-structure.ts';
import type { Completion, Success } from '../results/result.ts';
import { type ActivityRecord, toActivityRecord } from './activity-record.ts';
import { type ObjectiveRecord, toObjectiveRecords } from './objective-record.ts';
import type { RegistrationDetails } from './registration-details.ts';
import type { RegistrationRow, ScoStateRow } from './registration-row.ts';

/** A registration's result in the API. Unknown values are absent. */
export interface RegistrationRecord {
  readonly id: string;
  readonly instance: number;
  readonly updated: string;
  readonly registrationCompletion: Completion;
  readonly registrationCompletionAmount: number;
  readonly registrationSuccess: Success;
  readonly score?: { readonly scaled: number };
  readonly totalSecondsTracked: number;
  readonly firstAccessDate?: string;
  readonly lastAccessDate?: string;
  readonly completedDate?: string;
  readonly createdDate: string;
  readonly course: { readonly id: string; readonly title: string; readonly version: number };
  readonly learner: {
    readonly id: string;
    readonly email?: string;
    readonly firstName: string;
    readonly lastName: string;
  };
  /** A tracked course window may still report. An addition to SCORM Cloud's record. */
  readonly hasOpenLaunch: boolean;
  readonly tags: readonly string[];
  readonly globalObjectives: readonly ObjectiveRecord[];
  readonly sharedData: readonly never[];
  readonly suspendedActivityId?: string;
  readonly activityDetails: ActivityRecord;
}

/** @param states the stored states of the registration's activities, in any order */
export function toRegistrationRecord(
  row: RegistrationRow,
  structure: CourseStructure,
  states: readonly ScoStateRow[],
  details: RegistrationDetails,
): RegistrationRecord {
  const suspended = states
    .filter((state) => state.suspended)
    .reduce<ScoStateRow | null>(
      (last, state) => (last && last.opened_at > state.opened_at ? last : state),
      null,
    );
  return {
    id: row.registration_id,
    instance: 0,
    updated: row.updated_at.toISOString(),
    registrationCompletion: row.completion,
    registrationCompletionAmount: row.progress ?? 0,
    registrationSuccess: row.success,
    ...(row.score !== null && { score: { scaled: row.score } }),
    totalSecondsTracked: row.total_seconds,
    ...(row.first_access_at && { firstAccessDate: row.first_access_at.toISOString() }),
    ...(row.last_access_at && { lastAccessDate: row.last_access_at.toISOString() }),
    ...(row.completed_at && { completedDate: row.completed_at.toISOString() }),
    createdDate: row.created_at.toISOString(),
    course: { id: row.course_id, title: row.course_title, version: row.version },
    learner: {
      id: row.learner_id,
      ...(row.email !== null && { email: row.email }),
      firstName: row.first_name,
      lastName: row.last_name,
    },
    hasOpenLaunch: row.has_open_launch,
    tags: row.tags,
    globalObjectives: toObjectiveRecords(row.global_objectives),
    sharedData: [],
    ...(suspended && { suspendedActivityId: suspended.activity_id }),
    activityDetails: toActivityRecord(
      structure,
      new Map(states.map((state) => [state.activity_id, state])),
      details,
    ),
  };
}
