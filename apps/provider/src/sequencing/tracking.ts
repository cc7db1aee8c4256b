import type { Objective, ObjectiveElement } from '../packages/course-structure.ts';
import type { ObjectiveValues } from '../results/global-objectives.ts';
import type { TreeNode } from './activity-tree.ts';
import { changeable, type Session, stateOf } from './sequencing-state.ts';

/**
 * How tracking is read: `rollup` leaves out what belongs to an earlier attempt of an activity above
 * (SCORM 2004 SN 3.2.6 and 3.2.7).
 */
export type Reading = 'own' | 'rollup';

const progressElements: readonly ObjectiveElement[] = ['completion_status', 'progress_measure'];

/** What is known only through the global objective, if an objective reads it (SCORM 2004 SN 3.10.3). */
const sharedElements: readonly ObjectiveElement[] = ['success_status', 'score.scaled'];

/** Returns the value of an objective: the one of the global objective that it reads, or its own. */
export function valueOf(
  session: Session,
  node: TreeNode,
  { id, maps }: Objective,
  element: ObjectiveElement,
  reading: Reading,
): string | undefined {
  const map = maps.find(({ reads }) => reads.includes(element));
  const shared = map && session.state.globals[map.target]?.[element];
  if (shared !== undefined || (map && sharedElements.includes(element))) return shared;
  const state = stateOf(session, node);
  const isOld = progressElements.includes(element) ? state.hasOldProgress : state.hasOldObjectives;
  return isOld && reading === 'rollup' ? undefined : state.objectives[id]?.[element];
}

/** Returns the measure of an objective, -1 to 1; null if it is not known. */
export function measureOf(
  session: Session,
  node: TreeNode,
  objective: Objective,
  reading: Reading,
): number | null {
  const measure = valueOf(session, node, objective, 'score.scaled', reading);
  return measure === undefined ? null : Number(measure);
}

/** Returns whether an objective is satisfied; null if it is not known. */
export function satisfactionOf(
  session: Session,
  node: TreeNode,
  objective: Objective,
  reading: Reading,
): boolean | null {
  if (objective.minimumMeasure !== null) {
    const measure = measureOf(session, node, objective, reading);
    if (measure === null || waitsForEnd(session, node)) return null;
    return measure >= objective.minimumMeasure;
  }
  const status = valueOf(session, node, objective, 'success_status', reading);
  return status === undefined || status === 'unknown' ? null : status === 'passed';
}

/** The measure of a cluster may decide only after its attempt (SCORM 2004 SN RB.1.2 a). */
const waitsForEnd = (session: Session, node: TreeNode) =>
  !node.rollup.measureSatisfactionIfActive && stateOf(session, node).active;

/**
 * Returns whether an objective is completed; null if it is not known. The primary one is the attempt
 * on the activity itself.
 */
export function completionOf(
  session: Session,
  node: TreeNode,
  objective: Objective,
  reading: Reading,
): boolean | null {
  const threshold = node.activity.completionThreshold;
  if (objective === node.primary && threshold !== null) {
    const measure = progressOf(session, node, reading);
    return measure === null ? null : measure >= threshold;
  }
  const status = valueOf(session, node, objective, 'completion_status', reading);
  return status === undefined || status === 'unknown' ? null : status === 'completed';
}

/** Returns the completed share of an attempt, 0 to 1; null if it is not known. */
export function progressOf(session: Session, node: TreeNode, reading: Reading): number | null {
  const measure = valueOf(session, node, node.primary, 'progress_measure', reading);
  return measure === undefined ? null : Number(measure);
}

/** Whether content has reported a status of an activity, even as `unknown`. */
export const hasReported = (
  session: Session,
  node: TreeNode,
  element: 'completion_status' | 'success_status',
): boolean => stateOf(session, node).objectives[node.primary.id]?.[element] !== undefined;

/**
 * Sets values of an objective, and of the global objectives that it writes. Undefined values become
 * unknown in the activity, and change no global objective; the value `unknown` changes both.
 */
export function setValues(
  session: Session,
  node: TreeNode,
  objective: Objective,
  values: Readonly<Partial<Record<ObjectiveElement, string | undefined>>>,
): void {
  const state = changeable(session, node);
  const own: Record<string, string> = { ...state.objectives[objective.id] };
  for (const [element, value] of Object.entries(values)) {
    if (value === undefined) delete own[element];
    else own[element] = value;
  }
  state.objectives[objective.id] = own;
  const shown = { ...values, ...derivedValues(session, node, objective, own) };
  for (const { target, writes } of objective.maps) {
    const shared = { ...session.state.globals[target] };
    for (const element of writes) {
      const value = shown[element];
      if (value === 'unknown') delete shared[element];
      else if (value !== undefined) shared[element] = value;
    }
    if (writes.length > 0) session.state.globals[target] = shared;
  }
}

/** Forgets an objective, and the values that it has written to global objectives. */
export function forgetValues(session: Session, node: TreeNode, objective: Objective): void {
  delete changeable(session, node).objectives[objective.id];
  for (const { target, writes } of objective.maps) {
    const shared = { ...session.state.globals[target] };
    for (const element of writes) delete shared[element];
    if (session.state.globals[target]) session.state.globals[target] = shared;
  }
}

/** The statuses that follow from measures; undefined where the measure is not known. */
function derivedValues(
  session: Session,
  node: TreeNode,
  objective: Objective,
  own: ObjectiveValues,
): Partial<Record<ObjectiveElement, string | undefined>> {
  const { minimumMeasure } = objective;
  const { completionThreshold } = node.activity;
  const measure = own['score.scaled'];
  const progress = own['progress_measure'];
  const isSatisfied =
    minimumMeasure === null || measure === undefined || waitsForEnd(session, node)
      ? undefined
      : Number(measure) >= minimumMeasure;
  const isCompleted =
    completionThreshold === null || progress === undefined
      ? undefined
      : Number(progress) >= completionThreshold;
  return {
    ...(minimumMeasure !== null && { success_status: statusOf(isSatisfied, 'passed', 'failed') }),
    ...(completionThreshold !== null &&
      objective === node.primary && {
        completion_status: statusOf(isCompleted, 'completed', 'incomplete'),
      }),
  };
}

const statusOf = (is: boolean | undefined, yes: string, no: string) =>
  is === undefined ? undefined : is ? yes : no;
