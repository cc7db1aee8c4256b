import {
  type Activity,
  type CourseStructure,
  launchablesOf,
} from '../packages/course-structure.ts';
import type { ScoStateRow } from '../registrations/registration-row.ts';

/** An entry of the table of contents. */
export interface OutlineItem {
  readonly id: string;
  readonly title: string;
  /** Whether learners can choose it at all. */
  readonly launchable: boolean;
  readonly children: readonly OutlineItem[];
}

/** The stored state of an activity that was opened before. */
export type VisitedActivity = Pick<
  ScoStateRow,
  'activity_id' | 'completion' | 'suspended' | 'opened_at'
>;

/**
 * Returns the table of contents. A hidden item is replaced by its children, because `isvisible`
 * applies to the item alone (SCORM 2004 CAM 3.4.1.9).
 *
 * @param isSequenced whether learners also choose groups of items, and the course as a whole
 */
export function outlineOf({ root }: CourseStructure, isSequenced: boolean): OutlineItem[] {
  const itemsOf = ({ id, title, visible, resource, children }: Activity): OutlineItem[] => {
    const below = children.flatMap(itemsOf);
    const launchable = isSequenced || resource !== null;
    return visible ? [{ id, title, launchable, children: below }] : below;
  };
  return isSequenced ? itemsOf(root) : root.children.flatMap(itemsOf);
}

/**
 * Returns the activity in which a learner starts or resumes: the one that was suspended last, else
 * the first one that is not completed, else the first one. A hidden one is not returned when all
 * others are completed. Null if nothing can be launched.
 *
 * @param isOpen whether the prerequisites of an activity are fulfilled
 */
export function startingActivity(
  { root }: CourseStructure,
  visited: readonly VisitedActivity[],
  isOpen: (activityId: string) => boolean = () => true,
): string | null {
  const launchables = launchablesOf(root).filter(({ id }) => isOpen(id));
  const suspended = visited
    .filter(
      ({ suspended, activity_id }) => suspended && launchables.some(({ id }) => id === activity_id),
    )
    .toSorted((a, b) => b.opened_at.getTime() - a.opened_at.getTime());
  const completed = new Set(
    visited
      .filter(({ completion }) => completion === 'COMPLETED')
      .map((activity) => activity.activity_id),
  );
  const visible = launchables.filter((activity) => activity.visible);
  const isDone = visible.length > 0 && visible.every(({ id }) => completed.has(id));
  const open = isDone ? visible[0] : launchables.find(({ id }) => !completed.has(id));
  return suspended[0]?.activity_id ?? open?.id ?? launchables[0]?.id ?? null;
}
