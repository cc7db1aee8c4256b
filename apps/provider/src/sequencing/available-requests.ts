import { find, refusalOf, refusalOfDelivery, terminationOf } from './navigate.ts';
import type { Refusal } from './requests.ts';
import type { TreeNode } from './activity-tree.ts';
import { childrenOf, currentOf, type Session } from './sequencing-state.ts';
import { type Following, terminate } from './termination.ts';

/** Which navigation requests the learner and the content can make; null where one is valid. */
export interface AvailableRequests {
  readonly continue: Refusal | null;
  readonly previous: Refusal | null;
  /** By the id of the activity. */
  readonly choices: Readonly<Record<string, Refusal | null>>;
}

/**
 * Activities of a course whose choices are evaluated as a whole. The way to an activity may lead past all
 * others, so that the time grows with the square of their number.
 */
const maxEvaluated = 500;

/**
 * Evaluates all navigation requests as if the current activity ended now (SCORM 2004 SN 5.6.4). A
 * request to which a post condition rule gives another turn is valid. In a course of more than
 * {@link maxEvaluated} activities, choices are only validated, and evaluated when they are made.
 */
export function availableRequests(session: Session): AvailableRequests {
  const after = { ...session, state: structuredClone(session.state) };
  const termination = terminationOf(session, { command: 'continue' });
  const following = termination && terminate(after, termination);
  const of = (command: 'continue' | 'previous' | 'choice', target?: string) =>
    refusalOf(session, { command, target }) ?? refusalAfter(after, following, command, target);
  const isLarge = session.tree.nodes.size > maxEvaluated;
  const choiceOf = (target: string) =>
    isLarge ? refusalOf(session, { command: 'choice', target }) : of('choice', target);
  return {
    continue: of('continue'),
    previous: of('previous'),
    choices: Object.fromEntries(
      inOrder(session, session.tree.root).map(({ id }) => [id, choiceOf(id)] as const),
    ),
  };
}

/** The activities in the order in which the learner meets them, and after them those that are not selected. */
const inOrder = (session: Session, node: TreeNode): TreeNode[] => {
  const available = childrenOf(session, node);
  const chosen = new Set(available);
  const others = node.children.filter((child) => !chosen.has(child));
  return [node, ...[...available, ...others].flatMap((child) => inOrder(session, child))];
};

function refusalAfter(
  session: Session,
  following: Following,
  command: 'continue' | 'previous' | 'choice',
  targetId: string | undefined,
): Refusal | null {
  // A rule decides what follows, if there is an activity at all.
  if (following !== null && command !== 'choice') return null;
  const target = session.tree.nodes.get(targetId ?? '') ?? session.tree.root;
  const result = find(session, command, target);
  if ('found' in result) return refusalOfDelivery(session, result.found);
  // At its end, the course is left. Where the way leads into a cluster without flow, there is still one.
  const leads = result.isEnd || result.refusal === 'noFlow';
  return command === 'continue' && leads && currentOf(session) ? null : result.refusal;
}
