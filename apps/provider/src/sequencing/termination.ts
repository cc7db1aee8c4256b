import { pathToRoot, type TreeNode } from './activity-tree.ts';
import { endAttempt, endAttemptsBelow } from './attempts.ts';
import { rollUp } from './rollup.ts';
import { ruleThatApplies } from './rule-conditions.ts';
import { changeable, currentOf, type Session, stateOf } from './sequencing-state.ts';
import { forgetValues } from './tracking.ts';

/** What ends (SCORM 2004 SN TB.2.3). */
export type Termination = 'exit' | 'exitAll' | 'abandon' | 'abandonAll' | 'suspendAll';

/** The sequencing request that follows from a termination, if any; it replaces the one of the learner. */
export type Following = 'exit' | 'continue' | 'previous' | 'retry' | null;

/** Ends the current activity. The session must have one. */
export function terminate(session: Session, termination: Termination): Following {
  const current = currentOf(session) ?? session.tree.root;
  switch (termination) {
    case 'exit':
      endAttempt(session, current);
      applyExitRules(session);
      return applyPostConditions(session);
    case 'exitAll':
      return exitAll(session, 'exit');
    case 'suspendAll':
      return suspendAll(session, current);
    case 'abandon':
      abandon(session, current);
      return null;
    case 'abandonAll':
      abandon(session, current);
      for (const node of pathToRoot(current)) changeable(session, node).active = false;
      session.state.current = session.tree.root.id;
      return 'exit';
  }
}

/** Ends the attempt on the highest activity whose exit rules apply (TB.2.1). */
function applyExitRules(session: Session): void {
  const current = currentOf(session);
  if (!current?.parent) return;
  const above = pathToRoot(current.parent).reverse();
  const exited = above.find((node) => ruleThatApplies(session, node, 'exitConditionRules'));
  if (!exited) return;
  endAttemptsBelow(session, exited);
  endAttempt(session, exited);
  session.state.current = exited.id;
}

/** Applies the post condition rules of the current activity, and of those that they exit (TB.2.2). */
function applyPostConditions(session: Session): Following {
  for (;;) {
    const current = currentOf(session) ?? session.tree.root;
    const action = stateOf(session, current).suspended
      ? undefined
      : ruleThatApplies(session, current, 'postConditionRules')?.action;
    if (action === 'exitAll') return exitAll(session, 'exit');
    if (action === 'retryAll') return exitAll(session, 'retry');
    if (!current.parent) return action === 'retry' ? exitAll(session, 'retry') : 'exit';
    if (action === 'retry' || action === 'continue' || action === 'previous') return action;
    if (action !== 'exitParent') return null;
    session.state.current = current.parent.id;
    endAttempt(session, current.parent);
  }
}

function exitAll(session: Session, following: 'exit' | 'retry'): Following {
  const { root } = session.tree;
  const current = currentOf(session) ?? root;
  if (stateOf(session, current).active) endAttempt(session, current);
  endAttemptsBelow(session, root);
  if (current !== root) endAttempt(session, root);
  session.state.current = root.id;
  return following;
}

function suspendAll(session: Session, current: TreeNode): Following {
  const { active, suspended } = stateOf(session, current);
  const at = active || suspended ? current : (current.parent ?? current);
  rollUp(session, at);
  session.state.suspended = at.id;
  for (const node of pathToRoot(at)) {
    const state = changeable(session, node);
    state.active = false;
    state.suspended = true;
  }
  session.state.current = session.tree.root.id;
  return 'exit';
}

/** Content that is abandoned leaves no result. */
function abandon(session: Session, current: TreeNode): void {
  changeable(session, current).active = false;
  forgetValues(session, current, current.primary);
}
