import {
  type CourseStructure,
  launchablesOf,
  type LaunchableActivity,
} from '../packages/course-structure.ts';
import type { AvailableRequests } from '../sequencing/available-requests.ts';
import type { Outcome } from '../sequencing/navigate.ts';
import type { NavigationRequest, Refusal } from '../sequencing/requests.ts';
import { startingActivity, type VisitedActivity } from './course-outline.ts';
import { type LessonStatus, lessonStatuses, type VisitedLesson } from './lesson-statuses.ts';
import { isFulfilled } from './prerequisites.ts';

/** A course without sequencing, and where the learner is in it. */
export interface FreeCourse {
  readonly structure: CourseStructure;
  readonly visited: readonly (VisitedActivity & VisitedLesson)[];
  /** The parts that learners open, by id, in the order of the table of contents. */
  readonly parts: ReadonlyMap<string, LaunchableActivity>;
  /** The statuses of all items, by id. */
  readonly statuses: ReadonlyMap<string, LessonStatus>;
  /** The id of the part that is open; null if none is. */
  readonly current: string | null;
}

export const freeCourse = ({
  structure,
  visited,
  current,
}: Pick<FreeCourse, 'structure' | 'visited' | 'current'>): FreeCourse => ({
  structure,
  visited,
  parts: new Map(launchablesOf(structure.root).map((part) => [part.id, part])),
  statuses: lessonStatuses(structure.root, visited),
  current,
});

/**
 * Navigates in a course without sequencing: learners open every part whose prerequisites are fulfilled
 * (SCORM 1.2), and go on and back in the order of the table of contents.
 */
export function navigateFreely(course: FreeCourse, request: NavigationRequest): Outcome {
  const target = targetOf(course, request);
  if (target === 'end') return { kind: 'ended' };
  if (target === null) return { kind: 'nothing', refusal: null };
  const refusal = target === undefined ? 'nothingThere' : refusalOf(course, target);
  if (target === undefined || refusal) return { kind: 'nothing', refusal };
  const resumes = course.visited.some(
    ({ activity_id, suspended }) => suspended && activity_id === target,
  );
  return { kind: 'delivered', activityId: target, resumes };
}

/** Returns the id of the part that a request leads to; undefined if there is none. */
function targetOf(
  course: FreeCourse,
  { command, target }: NavigationRequest,
): string | null | undefined {
  switch (command) {
    case 'start':
    case 'resumeAll':
      return startingActivity(course.structure, course.visited, (id) => !refusalOf(course, id));
    case 'continue':
      return neighborOf(course, 1);
    case 'previous':
      return neighborOf(course, -1);
    case 'choice':
    case 'jump':
      return target;
    case 'exit':
    case 'abandon':
      return null;
    case 'exitAll':
    case 'abandonAll':
    case 'suspendAll':
      return 'end';
  }
}

function neighborOf({ parts, current }: FreeCourse, distance: 1 | -1): string | undefined {
  const ids = [...parts.keys()];
  const at = ids.indexOf(current ?? '');
  return at < 0 ? undefined : ids[at + distance];
}

/** Returns which parts the learner can open from the current one. */
export function freelyAvailable(course: FreeCourse): AvailableRequests {
  const refusalAt = (id: string | undefined): Refusal | null =>
    id === undefined ? 'nothingThere' : refusalOf(course, id);
  return {
    continue: refusalAt(neighborOf(course, 1)),
    previous: refusalAt(neighborOf(course, -1)),
    choices: Object.fromEntries([...course.parts.keys()].map((id) => [id, refusalOf(course, id)])),
  };
}

function refusalOf({ parts, statuses }: FreeCourse, id: string): Refusal | null {
  const part = parts.get(id);
  if (!part) return 'unavailable';
  if (part.prerequisites === undefined) return null;
  return isFulfilled(part.prerequisites, statuses) ? null : 'prerequisites';
}
