import { commonAncestor, pathBelow, pathToRoot, type TreeNode } from './activity-tree.ts';
import { rollUp } from './rollup.ts';
import { ruleThatApplies } from './rule-conditions.ts';
import { chooseChildren } from './select-children.ts';
import {
  changeable,
  childrenOf,
  currentOf,
  isLeaf,
  type Session,
  stateOf,
  suspendedOf,
} from './sequencing-state.ts';
import { completionOf, hasReported, satisfactionOf, setValues } from './tracking.ts';

/** Ends the attempt on an activity (SCORM 2004 SN UP.4). */
export function endAttempt(session: Session, node: TreeNode): void {
  const state = changeable(session, node);
  if (isLeaf(node)) setUnreported(session, node);
  else {
    state.suspended = childrenOf(session, node).some((child) => stateOf(session, child).suspended);
    if (!state.suspended) chooseChildren(session, node, 'onEachNewAttempt');
  }
  state.active = false;
  rollUp(session, node);
}

/** Content that reports nothing has completed and satisfied its activity. */
function setUnreported(session: Session, node: TreeNode): void {
  const { tracked, completionSetByContent, objectiveSetByContent } = node.delivery;
  if (!tracked || stateOf(session, node).suspended) return;
  if (
    !completionSetByContent &&
    node.activity.completionThreshold === null &&
    !hasReported(session, node, 'completion_status') &&
    completionOf(session, node, node.primary, 'own') === null
  ) {
    setValues(session, node, node.primary, { completion_status: 'completed' });
  }
  if (
    !objectiveSetByContent &&
    node.primary.minimumMeasure === null &&
    !hasReported(session, node, 'success_status') &&
    satisfactionOf(session, node, node.primary, 'own') === null
  ) {
    setValues(session, node, node.primary, { success_status: 'passed' });
  }
}

/** Ends the attempts between the current activity and the ancestor that it shares (UP.3). */
export function endAttemptsBelow(session: Session, node: TreeNode): void {
  const current = currentOf(session);
  if (!current) return;
  const between = pathBelow(current, commonAncestor(current, node));
  for (const above of between.slice(1)) endAttempt(session, above);
}

/** Whether an activity must not be delivered or entered (UP.5): it is disabled, or has no attempts left. */
export function cannotStart(session: Session, node: TreeNode): boolean {
  if (ruleThatApplies(session, node, 'preConditionRules', ['disabled'])) return true;
  return hasNoAttemptsLeft(session, node);
}

/** SCORM 2004 SN UP.1. */
export function hasNoAttemptsLeft(session: Session, node: TreeNode): boolean {
  const { attempts, active, suspended } = stateOf(session, node);
  if (!node.delivery.tracked || active || suspended || node.attemptLimit === null) return false;
  return attempts >= node.attemptLimit;
}

/**
 * Begins or resumes the attempts on the activities down to the one that is delivered (DB.2).
 *
 * @returns whether the content of the activity resumes
 */
export function beginAttempts(session: Session, node: TreeNode): boolean {
  clearSuspension(session, node);
  endAttemptsBelow(session, node);
  let resumes = false;
  for (const each of pathToRoot(node).reverse()) {
    const { active, suspended } = stateOf(session, each);
    if (active) continue;
    const state = changeable(session, each);
    resumes = suspended;
    if (suspended) state.suspended = false;
    else if (each.delivery.tracked) beginAttempt(session, each);
    state.active = true;
  }
  session.state.current = node.id;
  session.state.suspended = null;
  return resumes;
}

function beginAttempt(session: Session, node: TreeNode): void {
  const state = changeable(session, node);
  state.attempts += 1;
  state.objectives = {};
  state.hasOldObjectives = false;
  state.hasOldProgress = false;
  const { useCurrentAttemptObjectiveInfo, useCurrentAttemptProgressInfo } = node.controlMode;
  markOld(session, node, useCurrentAttemptObjectiveInfo, useCurrentAttemptProgressInfo);
}

/** Marks what is known of the activities below as that of an earlier attempt. */
function markOld(session: Session, node: TreeNode, objectives: boolean, progress: boolean): void {
  for (const child of childrenOf(session, node)) {
    if (stateOf(session, child).attempts === 0) continue;
    const state = changeable(session, child);
    state.hasOldObjectives ||= objectives;
    state.hasOldProgress ||= progress;
    markOld(session, child, objectives, progress);
  }
}

/** Forgets where all was suspended, unless that activity is delivered (DB.2.1). */
function clearSuspension(session: Session, node: TreeNode): void {
  const suspended = suspendedOf(session);
  if (!suspended || suspended === node) return;
  const ancestor = commonAncestor(suspended, node);
  for (const each of [...pathBelow(suspended, ancestor), ancestor]) {
    changeable(session, each).suspended =
      !isLeaf(each) && childrenOf(session, each).some((child) => stateOf(session, child).suspended);
  }
}
