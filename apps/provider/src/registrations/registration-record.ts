import type { CourseStructure } from '../packages/course-structure.ts';
import { clusterResults } from '../sequencing/sequenced-results.ts';
import { toActivityRecord } from './activity-record.ts';
import { toObjectiveRecords } from './objective-record.ts';
import type { RegistrationDetails } from './registration-details.ts';
import type { RegistrationRow, ScoStateRow } from './registration-row.ts';

/** A registration's result in the API. */
export type RegistrationRecord = ReturnType<typeof toRegistrationRecord>;

/**
 * Returns a registration's result without the values that are unknown.
 *
 * @param states the stored states of the registration's activities, in any order
 */
export function toRegistrationRecord(
  row: RegistrationRow,
  structure: CourseStructure,
  states: readonly ScoStateRow[],
  details: RegistrationDetails,
) {
  const suspended = states
    .filter((state) => state.suspended)
    .toSorted((a, b) => a.opened_at.getTime() - b.opened_at.getTime())
    .at(-1);
  return {
    id: row.registration_id,
    instance: row.instance,
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
    /** A tracked course window may still report. An addition to SCORM Cloud's record. */
    hasOpenLaunch: row.has_open_launch,
    tags: row.tags,
    globalObjectives: toObjectiveRecords(row.global_objectives),
    sharedData: Object.entries(row.shared_data).map(([id, value]) => ({ id, value })),
    ...(suspended && { suspendedActivityId: suspended.activity_id }),
    activityDetails: toActivityRecord(
      structure,
      new Map(states.map((state) => [state.activity_id, state])),
      row.sequencing
        ? clusterResults(structure, { ...row.sequencing, globals: row.global_objectives })
        : new Map([[structure.root.id, row]]),
      details,
    ),
  };
}
