import { commonAncestor, isWithin, pathBelow, pathToRoot, type TreeNode } from './activity-tree.ts';
import { type Direction, flow, type Found, siblingOf } from './flow.ts';
import type { Refusal } from './requests.ts';
import { ruleThatApplies } from './rule-conditions.ts';
import {
  childrenOf,
  currentOf,
  isAvailable,
  isLeaf,
  type Session,
  stateOf,
} from './sequencing-state.ts';

/** Finds the activity that a choice delivers (SCORM 2004 SN SB.2.9). Changes nothing. */
export function choose(session: Session, target: TreeNode): Found {
  const refusal = refusalOfChoosing(session, target);
  if (refusal) return { refusal };
  return isLeaf(target) ? { found: target } : flow(session, target, 'forward', true);
}

/** Returns why an activity cannot be chosen; null if it can, even if no activity in it can be delivered. */
export const refusalOfChoosing = (session: Session, target: TreeNode): Refusal | null =>
  refusalOfTarget(session, target) ?? refusalOfWay(session, target);

function refusalOfTarget(session: Session, target: TreeNode): Refusal | null {
  for (const node of pathToRoot(target)) {
    if (!isAvailable(session, node)) return 'unavailable';
    if (ruleThatApplies(session, node, 'preConditionRules', ['hiddenFromChoice'])) return 'hidden';
  }
  return target.parent && !target.parent.controlMode.choice ? 'notChoosable' : null;
}

function refusalOfWay(session: Session, target: TreeNode): Refusal | null {
  const current = currentOf(session);
  if (current === target) return null;
  if (!current) return refusalOfDescent(session, session.tree.root, target, true);
  const ancestor = commonAncestor(current, target);
  if (current.parent && current.parent === target.parent) {
    return refusalAmongSiblings(session, current, target);
  }
  if (ancestor === current) return refusalOfDescent(session, current, target, true);
  const left = pathBelow(current, ancestor);
  if (left.some((node) => stateOf(session, node).active && !node.controlMode.choiceExit)) {
    return 'choiceExit';
  }
  if (ancestor === target) return null;
  const constrained = left.find((node) => !isLeaf(node) && node.constrainedChoice.constrainChoice);
  const direction = directionTo(session, current, target);
  if (constrained && !isReachable(session, constrained, target, direction)) return 'constrained';
  return refusalOfDescent(session, ancestor, target, direction === 'forward');
}

function refusalAmongSiblings(
  session: Session,
  current: TreeNode,
  target: TreeNode,
): Refusal | null {
  const siblings = current.parent ? childrenOf(session, current.parent) : [];
  const [from, to] = [siblings.indexOf(current), siblings.indexOf(target)];
  if (from > to && current.parent?.controlMode.forwardOnly) return 'forwardOnly';
  const passed = from < to ? siblings.slice(from, to) : [];
  return passed.some((node) => stopsForward(session, node)) ? 'stopped' : null;
}

/** Checks the activities from an ancestor down to the one that is chosen, without it. */
function refusalOfDescent(
  session: Session,
  ancestor: TreeNode,
  target: TreeNode,
  isForward: boolean,
): Refusal | null {
  const path = target === ancestor ? [] : [...pathBelow(target, ancestor).slice(1), ancestor];
  for (const node of path) {
    if (isForward && stopsForward(session, node)) return 'stopped';
    if (
      node !== ancestor &&
      !stateOf(session, node).active &&
      node.constrainedChoice.preventActivation
    ) {
      return 'preventActivation';
    }
  }
  return null;
}

const stopsForward = (session: Session, node: TreeNode) =>
  ruleThatApplies(session, node, 'preConditionRules', ['stopForwardTraversal']) !== undefined;

/** Whether a choice stays beside the activity that constrains it. */
function isReachable(
  session: Session,
  constrained: TreeNode,
  target: TreeNode,
  direction: Direction,
): boolean {
  const beside = neighborOf(session, constrained, direction) ?? constrained;
  return isWithin(target, beside) || target === constrained;
}

/** Finds the next activity of a choice flow, which enters no cluster (SB.2.9.2). */
function neighborOf(session: Session, node: TreeNode, direction: Direction): TreeNode | undefined {
  for (let at: TreeNode | null = node; at; at = at.parent) {
    const next = siblingOf(session, at, direction);
    if (next) return next;
  }
  return undefined;
}

/** The direction from one activity to another in the order of the tree. */
function directionTo(session: Session, from: TreeNode, to: TreeNode): Direction {
  const ancestor = commonAncestor(from, to);
  const siblings = childrenOf(session, ancestor);
  const position = (node: TreeNode) => {
    const top = pathBelow(node, ancestor).at(-1);
    return top ? siblings.indexOf(top) : -1;
  };
  return position(to) > position(from) ? 'forward' : 'backward';
}
