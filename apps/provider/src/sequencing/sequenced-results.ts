import type { CourseStructure } from '../packages/course-structure.ts';
import { emptyResult, type Result } from '../results/result.ts';
import { percent } from '../results/sco-result.ts';
import type { TreeNode } from './activity-tree.ts';
import { openSession } from './navigate.ts';
import { rollUp } from './rollup.ts';
import {
  currentOf,
  isLeaf,
  type SequencingState,
  type Session,
  stateOf,
} from './sequencing-state.ts';
import { completionOf, measureOf, progressOf, satisfactionOf } from './tracking.ts';

/**
 * Returns the results of the clusters of a course and of the course itself, by activity id. They take
 * the current activity into account, although its attempt has not ended.
 */
export function clusterResults(
  structure: CourseStructure,
  state: SequencingState,
): ReadonlyMap<string, Result> {
  const session = openSession(structure, state, () => 0);
  const current = currentOf(session);
  if (current) rollUp(session, current);
  const clusters = [...session.tree.nodes.values()].filter((node) => !isLeaf(node));
  return new Map(clusters.map((node) => [node.id, resultOf(session, node)]));
}

function resultOf(session: Session, node: TreeNode): Result {
  if (stateOf(session, node).attempts === 0) return emptyResult;
  const isCompleted = completionOf(session, node, node.primary, 'own');
  const isSatisfied = satisfactionOf(session, node, node.primary, 'own');
  const measure = measureOf(session, node, node.primary, 'own');
  return {
    completion: isCompleted ? 'COMPLETED' : 'INCOMPLETE',
    success: isSatisfied === null ? 'UNKNOWN' : isSatisfied ? 'PASSED' : 'FAILED',
    score: measure === null ? null : percent(measure),
    progress: progressOf(session, node, 'own'),
  };
}
