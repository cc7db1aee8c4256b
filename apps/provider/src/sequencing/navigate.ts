import type { CourseStructure } from '../packages/course-structure.ts';
import {
  buildTree,
  commonAncestor,
  pathBelow,
  pathToRoot,
  type TreeNode,
} from './activity-tree.ts';
import {
  beginAttempts,
  cannotStart,
  endAttempt,
  endAttemptsBelow,
  hasNoAttemptsLeft,
} from './attempts.ts';
import { choose, refusalOfChoosing } from './choice.ts';
import { flow, type Found } from './flow.ts';
import type { NavigationRequest, Refusal } from './requests.ts';
import { chooseAllChildren } from './select-children.ts';
import {
  currentOf,
  isAvailable,
  isLeaf,
  type SequencingState,
  type Session,
  stateOf,
  suspendedOf,
} from './sequencing-state.ts';
import { terminate, type Termination } from './termination.ts';

/** What a navigation request leads to. */
export type Outcome =
  | {
      readonly kind: 'delivered';
      readonly activityId: string;
      /** Whether its content resumes an attempt that was suspended. */
      readonly resumes: boolean;
    }
  /** The sequencing session has ended. */
  | { readonly kind: 'ended' }
  /** The session goes on without content: the learner has to choose. */
  | { readonly kind: 'nothing'; readonly refusal: Refusal | null };

/**
 * Opens a sequencing session on a copy of a state.
 *
 * @param random returns a number from 0 to 1, without 1
 */
export const openSession = (
  { root, sequencing }: Pick<CourseStructure, 'root' | 'sequencing'>,
  state: SequencingState,
  random: () => number,
): Session => ({
  tree: buildTree(root),
  state: structuredClone(state),
  keepsGlobals: sequencing?.objectivesGlobalToSystem ?? true,
  random,
});

/** Executes a navigation request, which changes the state of the session (SCORM 2004 SN OP.1). */
export function navigate(session: Session, request: NavigationRequest): Outcome {
  if (!currentOf(session)) chooseAllChildren(session);
  const refusal = refusalOf(session, request);
  if (refusal) return { kind: 'nothing', refusal };
  const termination = terminationOf(session, request);
  const following = termination && terminate(session, termination);
  return sequence(session, following ?? sequencingRequests[request.command], request.target);
}

/** Validates a request (NB.2.1). Returns null if it is valid. */
export function refusalOf(
  session: Session,
  { command, target: targetId }: NavigationRequest,
): Refusal | null {
  const current = currentOf(session);
  switch (command) {
    case 'start':
      return current ? 'notNow' : null;
    case 'resumeAll':
      return current || !suspendedOf(session) ? 'notNow' : null;
    case 'continue':
    case 'previous':
      if (!current?.parent) return 'notNow';
      if (!current.parent.controlMode.flow) return 'noFlow';
      return command === 'previous' && current.parent.controlMode.forwardOnly
        ? 'forwardOnly'
        : null;
    case 'choice':
    case 'jump': {
      const target = session.tree.nodes.get(targetId ?? '');
      if (!target) return 'unavailable';
      if (command === 'choice') return refusalOfChoice(session, target);
      return isAvailable(session, target) ? null : 'unavailable';
    }
    case 'exit':
    case 'abandon':
      return current && stateOf(session, current).active ? null : 'notNow';
    case 'exitAll':
    case 'abandonAll':
    case 'suspendAll':
      return current ? null : 'notNow';
  }
}

function refusalOfChoice(session: Session, target: TreeNode): Refusal | null {
  if (target.parent && !target.parent.controlMode.choice) return 'notChoosable';
  const current = currentOf(session);
  if (!current) return null;
  const left = pathBelow(current, commonAncestor(current, target)).slice(1);
  const keeps = [current, ...left].some(
    (node) => stateOf(session, node).active && !node.controlMode.choiceExit,
  );
  return keeps ? 'choiceExit' : null;
}

/** The termination that a valid request begins with. */
export function terminationOf(
  session: Session,
  { command }: Pick<NavigationRequest, 'command'>,
): Termination | null {
  switch (command) {
    case 'continue':
    case 'previous':
    case 'choice':
    case 'jump': {
      const current = currentOf(session);
      return current && stateOf(session, current).active ? 'exit' : null;
    }
    case 'start':
    case 'resumeAll':
      return null;
    case 'exit':
    case 'exitAll':
    case 'abandon':
    case 'abandonAll':
    case 'suspendAll':
      return command;
  }
}

/** What a navigation request asks for after its termination. */
type SequencingRequest =
  | 'start'
  | 'resumeAll'
  | 'continue'
  | 'previous'
  | 'choice'
  | 'jump'
  | 'retry'
  | 'exit';

const sequencingRequests: Readonly<Record<NavigationRequest['command'], SequencingRequest>> = {
  start: 'start',
  resumeAll: 'resumeAll',
  continue: 'continue',
  previous: 'previous',
  choice: 'choice',
  jump: 'jump',
  exit: 'exit',
  exitAll: 'exit',
  abandon: 'exit',
  abandonAll: 'exit',
  suspendAll: 'exit',
};

/** Executes a sequencing request (SB.2.12), and delivers the activity that it finds (DB.1.1, DB.2). */
function sequence(session: Session, request: SequencingRequest, targetId?: string): Outcome {
  if (request === 'exit') {
    if (currentOf(session)?.parent) return { kind: 'nothing', refusal: null };
    session.state.current = null;
    return { kind: 'ended' };
  }
  const target = session.tree.nodes.get(targetId ?? '') ?? session.tree.root;
  if (!currentOf(session)?.parent && (request === 'start' || request === 'retry')) {
    forgetGlobals(session);
  }
  const found = find(session, request, target);
  if ('found' in found) return deliver(session, found.found);
  if (request === 'choice' && !refusalOfChoosing(session, target)) moveTo(session, target);
  if (!found.isEnd) return { kind: 'nothing', refusal: found.refusal };
  leaveCourse(session);
  return { kind: 'ended' };
}

/** A new attempt on the course forgets the global objectives that belong to one attempt. */
function forgetGlobals(session: Session): void {
  const { root } = session.tree;
  if (session.keepsGlobals || stateOf(session, root).suspended) return;
  session.state.globals = {};
}

/** Finds the activity that a request delivers. Changes nothing. */
export function find(
  session: Session,
  request: Exclude<SequencingRequest, 'exit'>,
  target: TreeNode,
): Found {
  const { root } = session.tree;
  const current = currentOf(session);
  switch (request) {
    case 'start':
      return isLeaf(root) ? { found: root } : flow(session, root, 'forward', true);
    case 'resumeAll': {
      const suspended = suspendedOf(session);
      return suspended ? { found: suspended } : { refusal: 'notNow' };
    }
    case 'continue':
    case 'previous':
      if (!current?.parent) return { refusal: 'notNow' };
      if (!current.parent.controlMode.flow) return { refusal: 'noFlow' };
      return flow(session, current, request === 'continue' ? 'forward' : 'backward', false);
    case 'retry':
      if (!current) return { refusal: 'notNow' };
      return isLeaf(current) ? { found: current } : flow(session, current, 'forward', true);
    case 'choice':
      return choose(session, target);
    case 'jump':
      return { found: target };
  }
}

/** A choice of a cluster without an activity to deliver moves the session there (SB.2.9, 9.1). */
function moveTo(session: Session, target: TreeNode): void {
  const current = currentOf(session);
  if (current) {
    const ancestor = commonAncestor(current, target);
    endAttemptsBelow(session, ancestor);
    if (stateOf(session, ancestor).active) endAttempt(session, ancestor);
  }
  session.state.current = target.id;
}

/** Ends all attempts after a flow has left the course at its end (SB.2.1, 3.1). */
function leaveCourse(session: Session): void {
  const { root } = session.tree;
  endAttemptsBelow(session, root);
  if (stateOf(session, root).active) endAttempt(session, root);
  session.state.current = null;
}

function deliver(session: Session, node: TreeNode): Outcome {
  const refusal = refusalOfDelivery(session, node);
  if (refusal) return { kind: 'nothing', refusal };
  const resumes = beginAttempts(session, node);
  return { kind: 'delivered', activityId: node.id, resumes };
}

/** SCORM 2004 SN DB.1.1. A cluster has no content to deliver. */
export function refusalOfDelivery(session: Session, node: TreeNode): Refusal | null {
  if (!isLeaf(node)) return 'nothingThere';
  const refusing = pathToRoot(node).find((each) => cannotStart(session, each));
  if (!refusing) return null;
  return hasNoAttemptsLeft(session, refusing) ? 'noAttemptsLeft' : 'disabled';
}
