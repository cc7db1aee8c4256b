import type { RollupAction, RollupRule } from '../packages/sequencing-definition.ts';
import { pathToRoot, type TreeNode } from './activity-tree.ts';
import { evaluate, ruleThatApplies } from './rule-conditions.ts';
import { childrenOf, isLeaf, type Session, stateOf } from './sequencing-state.ts';
import { measureOf, progressOf, setValues } from './tracking.ts';

/**
 * Rolls up from an activity to the root, and above activities that read a global objective which the
 * activity or one above it writes (SCORM 2004 SN RB.1.5).
 */
export function rollUp(session: Session, from: TreeNode): void {
  const written = new Set(
    pathToRoot(from).flatMap(({ objectives }) =>
      objectives.flatMap(({ maps }) =>
        maps.filter(({ writes }) => writes.length > 0).map(({ target }) => target),
      ),
    ),
  );
  const affected = new Set(pathToRoot(from));
  if (written.size > 0) {
    for (const node of session.tree.nodes.values()) {
      const reads = node.objectives.some(({ maps }) =>
        maps.some(({ target, reads }) => reads.length > 0 && written.has(target)),
      );
      if (reads && node.parent) for (const above of pathToRoot(node.parent)) affected.add(above);
    }
  }
  const clusters = [...affected].filter((node) => !isLeaf(node));
  for (const node of clusters.toSorted((a, b) => b.depth - a.depth)) rollUpCluster(session, node);
}

function rollUpCluster(session: Session, node: TreeNode): void {
  if (!node.delivery.tracked) return;
  rollUpMeasure(session, node);
  rollUpProgress(session, node);
  if (node.primary.minimumMeasure === null) rollUpSatisfaction(session, node);
  if (node.activity.completionThreshold === null) rollUpCompletion(session, node);
}

/** SCORM 2004 SN RB.1.1 a. */
function rollUpMeasure(session: Session, node: TreeNode): void {
  const measure = average(
    session,
    node,
    ({ rollup }) => rollup.objectiveMeasureWeight,
    (child) => measureOf(session, child, child.primary, 'rollup'),
  );
  setValues(session, node, node.primary, { 'score.scaled': measure?.toString() });
}

/** SCORM 2004 SN RB.1.1 b and RB.1.3 a. */
function rollUpProgress(session: Session, node: TreeNode): void {
  const progress = average(
    session,
    node,
    ({ rollup }) => rollup.progressWeight,
    (child) => progressOf(session, child, 'rollup'),
  );
  setValues(session, node, node.primary, { progress_measure: progress?.toString() });
}

/** The weighted average over all tracked children; null if no value is known. */
function average(
  session: Session,
  node: TreeNode,
  weightOf: (child: TreeNode) => number,
  valueOf: (child: TreeNode) => number | null,
): number | null {
  let weights = 0;
  let total = 0;
  let isKnown = false;
  for (const child of childrenOf(session, node)) {
    if (!child.delivery.tracked) continue;
    const value = valueOf(child);
    weights += weightOf(child);
    if (value === null) continue;
    total += value * weightOf(child);
    isKnown = true;
  }
  return isKnown && weights > 0 ? total / weights : null;
}

/** SCORM 2004 SN RB.1.2 b. */
function rollUpSatisfaction(session: Session, node: TreeNode): void {
  const status = decide(session, node, 'satisfied', 'notSatisfied', [
    defaultRule('notSatisfied', 'objectiveStatusKnown'),
    defaultRule('satisfied', 'satisfied'),
  ]);
  if (status !== null) {
    setValues(session, node, node.primary, { success_status: status ? 'passed' : 'failed' });
  }
}

/** SCORM 2004 SN RB.1.3 b. */
function rollUpCompletion(session: Session, node: TreeNode): void {
  const status = decide(session, node, 'completed', 'incomplete', [
    defaultRule('incomplete', 'activityProgressKnown'),
    defaultRule('completed', 'completed'),
  ]);
  if (status !== null) {
    setValues(session, node, node.primary, {
      completion_status: status ? 'completed' : 'incomplete',
    });
  }
}

const defaultRule = (
  action: RollupAction,
  condition: 'objectiveStatusKnown' | 'satisfied' | 'activityProgressKnown' | 'completed',
): RollupRule => ({
  action,
  children: 'all',
  combination: 'any',
  conditions: [{ name: condition }],
});

/** Applies the rules for two actions; the positive one wins. Null if no rule applies. */
function decide(
  session: Session,
  node: TreeNode,
  positive: RollupAction,
  negative: RollupAction,
  defaults: readonly RollupRule[],
): boolean | null {
  const own = node.rollupRules.filter(({ action }) => action === positive || action === negative);
  const rules = own.length > 0 ? own : defaults;
  const applies = (wanted: RollupAction) =>
    rules.some((rule) => rule.action === wanted && appliesToChildren(session, node, rule));
  if (applies(positive)) return true;
  return applies(negative) ? false : null;
}

/**
 * SCORM 2004 SN RB.1.4. Where no child counts, all of them and none of them fulfill the conditions, as in
 * ADL's sample run-time environment.
 */
function appliesToChildren(session: Session, node: TreeNode, rule: RollupRule): boolean {
  const results = childrenOf(session, node)
    .filter((child) => contributes(session, child, rule.action))
    .map((child) => evaluate(session, child, rule, 'rollup'));
  const count = results.filter((result) => result === true).length;
  const isAnyKnown = results.some((result) => result !== null);
  switch (rule.children) {
    case 'all':
      return count === results.length;
    case 'any':
      return count > 0;
    case 'none':
      return results.every((result) => result === false);
    case 'atLeastCount':
      return isAnyKnown && count >= (rule.minimum ?? 0);
    case 'atLeastPercent':
      return isAnyKnown && count / results.length >= (rule.minimum ?? 0);
  }
}

/** Whether a child counts for an action (SCORM 2004 SN RB.1.4.2). */
function contributes(session: Session, child: TreeNode, action: RollupAction): boolean {
  const { rollup, delivery } = child;
  const isObjective = action === 'satisfied' || action === 'notSatisfied';
  if (!delivery.tracked) return false;
  if (!(isObjective ? rollup.objectiveSatisfied : rollup.progressCompletion)) return false;
  const { attempts, suspended } = stateOf(session, child);
  switch (rollup.requiredFor[action] ?? 'always') {
    case 'ifNotSuspended':
      return !(attempts > 0 && suspended);
    case 'ifAttempted':
      return attempts > 0;
    case 'ifNotSkipped':
      return ruleThatApplies(session, child, 'preConditionRules', ['skip']) === undefined;
    case 'always':
      return true;
  }
}
