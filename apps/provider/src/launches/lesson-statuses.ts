import { type Activity, launchablesOf } from '../packages/course-structure.ts';
import type { ScoStateRow } from '../registrations/registration-row.ts';
import { rollUp } from '../results/rollup.ts';
import { emptyResult, type Result } from '../results/result.ts';

/** The result of a part that was opened before. */
export type VisitedLesson = Pick<
  ScoStateRow,
  'activity_id' | 'completion' | 'success' | 'score' | 'progress'
>;

/** A status of `cmi.core.lesson_status` (SCORM 1.2 RTE 3.4.4). */
export type LessonStatus = 'passed' | 'failed' | 'completed' | 'incomplete' | 'not attempted';

/** Returns the statuses of all items of a course, by id; that of a group follows from the items in it. */
export function lessonStatuses(
  root: Activity,
  visited: readonly VisitedLesson[],
): ReadonlyMap<string, LessonStatus> {
  const results = new Map(visited.map((each) => [each.activity_id, each]));
  const statuses = new Map<string, LessonStatus>();
  const add = (activity: Activity) => {
    const parts = launchablesOf(activity).map(({ id }) => results.get(id) ?? emptyResult);
    statuses.set(activity.id, statusOf(rollUp(parts)));
    activity.children.forEach(add);
  };
  add(root);
  return statuses;
}

function statusOf({ completion, success }: Result): LessonStatus {
  if (success === 'PASSED') return 'passed';
  if (success === 'FAILED') return 'failed';
  if (completion === 'COMPLETED') return 'completed';
  return completion === 'INCOMPLETE' ? 'incomplete' : 'not attempted';
}
