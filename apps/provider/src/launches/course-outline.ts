import {
  type Activity,
  type CourseStructure,
  launchablesOf,
} from '../packages/course-structure.ts';
import type { Completion } from '../results/result.ts';

/** An entry of the table of contents. */
export interface OutlineItem {
  readonly id: string;
  readonly title: string;
  /** Whether it opens something, or only holds others. */
  readonly launchable: boolean;
  readonly children: readonly OutlineItem[];
}

/** What is known of an activity that was opened before. */
export interface VisitedActivity {
  readonly activity_id: string;
  readonly completion: Completion;
  readonly suspended: boolean;
  readonly opened_at: Date;
}

/**
 * The table of contents. An item that the package hides is left out, and its children stand in
 * its place: hiding is about the item alone (SCORM 2004 CAM 3.4.1.9).
 */
export const outlineOf = ({ root }: CourseStructure): OutlineItem[] =>
  root.children.flatMap(itemsOf);

function itemsOf({ id, title, visible, resource, children }: Activity): OutlineItem[] {
  const below = children.flatMap(itemsOf);
  return visible ? [{ id, title, launchable: resource !== null, children: below }] : below;
}

/**
 * Where a learner goes on: in the part that was left last without being ended, else in the first
 * one that is not completed, else at the beginning. Null when a course launches nothing.
 */
export function startingActivity(
  { root }: CourseStructure,
  visited: readonly VisitedActivity[],
): string | null {
  const launchables = launchablesOf(root).map(({ id }) => id);
  const left = visited
    .filter((activity) => activity.suspended && launchables.includes(activity.activity_id))
    .toSorted((a, b) => b.opened_at.getTime() - a.opened_at.getTime());
  const completed = new Set(
    visited
      .filter(({ completion }) => completion === 'COMPLETED')
      .map((activity) => activity.activity_id),
  );
  const open = launchables.find((id) => !completed.has(id));
  return left[0]?.activity_id ?? open ?? launchables[0] ?? null;
}
