import type { Timing } from '../packages/sequencing-definition.ts';
import type { TreeNode } from './activity-tree.ts';
import { changeable, type Session, stateOf } from './sequencing-state.ts';

/** Chooses and orders the available children of all clusters before the first attempt (SR.1, SR.2). */
export function chooseAllChildren(session: Session): void {
  for (const node of session.tree.nodes.values()) {
    if (!node.selection || stateOf(session, node).children) continue;
    chooseChildren(session, node, 'once');
    chooseChildren(session, node, 'onEachNewAttempt');
  }
}

/**
 * Chooses children of a cluster at random, in the order of the manifest, and then orders them at random,
 * as far as the cluster does so at this time.
 */
export function chooseChildren(session: Session, node: TreeNode, timing: Timing): void {
  const { selection } = node;
  if (!selection) return;
  const { selectionTiming, selectCount, randomizationTiming, reorderChildren } = selection;
  const state = changeable(session, node);
  if (selectionTiming === timing && selectCount !== undefined) {
    const all = node.children.map(({ id }) => id);
    const chosen = new Set(shuffled(all, session.random).slice(0, selectCount));
    state.children = all.filter((id) => chosen.has(id));
  }
  if (randomizationTiming === timing && reorderChildren) {
    state.children = shuffled(state.children ?? node.children.map(({ id }) => id), session.random);
  }
}

/** Fisher and Yates's shuffle. */
function shuffled(ids: readonly string[], random: () => number): string[] {
  const result = [...ids];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] ?? '', result[last] ?? ''];
  }
  return result;
}
