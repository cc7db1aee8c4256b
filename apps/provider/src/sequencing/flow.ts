import { cannotStart, hasNoAttemptsLeft } from './attempts.ts';
import type { TreeNode } from './activity-tree.ts';
import type { Refusal } from './requests.ts';
import { ruleThatApplies } from './rule-conditions.ts';
import { childrenOf, isLeaf, type Session } from './sequencing-state.ts';

export type Direction = 'forward' | 'backward';

/** The activity at which a traversal arrived, or why it arrived at none. */
export type Found =
  | { readonly found: TreeNode }
  | {
      readonly refusal: Refusal;
      /** The traversal has left the course at its end. */
      readonly isEnd?: boolean;
    };

type Step =
  | { readonly next: TreeNode; readonly direction: Direction }
  | { readonly refusal: Refusal; readonly isEnd?: boolean };

/**
 * Finds the activity that a flow delivers (SCORM 2004 SN SB.2.3).
 *
 * @param enters whether the flow may enter the activity where it starts
 */
export function flow(
  session: Session,
  from: TreeNode,
  direction: Direction,
  enters: boolean,
): Found {
  const first = step(session, from, direction, enters);
  if ('refusal' in first) return first;
  let at = first.next;
  // The direction of the first step does not change: a flow backward may enter a cluster forward.
  let going = direction;
  let before: Direction | null = null;
  for (;;) {
    if (!at.parent?.controlMode.flow) return { refusal: 'noFlow' };
    if (ruleThatApplies(session, at, 'preConditionRules', ['skip'])) {
      const skipped = step(session, at, going, false, before);
      if ('refusal' in skipped) return skipped;
      if (before === 'backward' && skipped.direction === 'backward') {
        going = 'backward';
        before = null;
      }
      at = skipped.next;
      continue;
    }
    if (cannotStart(session, at)) {
      return { refusal: hasNoAttemptsLeft(session, at) ? 'noAttemptsLeft' : 'disabled' };
    }
    if (isLeaf(at)) return { found: at };
    const entered = step(session, at, going, true);
    if ('refusal' in entered) return entered;
    before = going === 'backward' && entered.direction === 'forward' ? 'backward' : null;
    if (before) going = 'forward';
    at = entered.next;
  }
}

/**
 * Takes one step of a flow in the tree (SB.2.1).
 *
 * @param before the direction before a cluster was entered forward, because it is forward only
 */
function step(
  session: Session,
  from: TreeNode,
  direction: Direction,
  enters: boolean,
  before: Direction | null = null,
): Step {
  let at = from;
  let going = direction;
  let isReversed = false;
  const siblings = siblingsOf(session, at);
  if (before === 'backward' && siblings.at(-1) === at) {
    going = 'backward';
    at = siblings[0] ?? at;
    isReversed = true;
  }
  if (enters && !isLeaf(at)) return enter(session, at, going);
  for (;;) {
    if (!at.parent) {
      return going === 'forward'
        ? { refusal: 'nothingThere', isEnd: true }
        : { refusal: 'nothingThere' };
    }
    if (going === 'backward' && !isReversed && at.parent.controlMode.forwardOnly) {
      return { refusal: 'forwardOnly' };
    }
    const next = siblingOf(session, at, going);
    if (next) return { next, direction: going };
    at = at.parent;
    isReversed = false;
  }
}

function enter(session: Session, cluster: TreeNode, direction: Direction): Step {
  const children = childrenOf(session, cluster);
  const isForward = direction === 'forward' || cluster.controlMode.forwardOnly;
  const next = isForward ? children[0] : children.at(-1);
  if (!next) return { refusal: 'nothingThere' };
  return { next, direction: isForward ? 'forward' : 'backward' };
}

const siblingsOf = (session: Session, { parent }: TreeNode) =>
  parent ? childrenOf(session, parent) : [];

/** Returns the available activity beside another, or undefined. */
export function siblingOf(
  session: Session,
  node: TreeNode,
  direction: Direction,
): TreeNode | undefined {
  const siblings = siblingsOf(session, node);
  return siblings[siblings.indexOf(node) + (direction === 'forward' ? 1 : -1)];
}
