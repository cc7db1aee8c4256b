import type {
  RuleAction,
  RuleCondition,
  RuleKind,
  SequencingRule,
} from '../packages/sequencing-definition.ts';
import type { TreeNode } from './activity-tree.ts';
import { type Session, stateOf } from './sequencing-state.ts';
import { completionOf, measureOf, type Reading, satisfactionOf } from './tracking.ts';

/** Finds the first of these rules that applies to an activity (SCORM 2004 SN UP.2). */
export function ruleThatApplies(
  session: Session,
  node: TreeNode,
  kind: RuleKind,
  actions?: readonly RuleAction[],
): SequencingRule | undefined {
  return node.rules[kind].find(
    (rule) =>
      (!actions || actions.includes(rule.action)) && evaluate(session, node, rule, 'own') === true,
  );
}

/**
 * Evaluates the conditions of a rule (SCORM 2004 SN UP.2.1 and RB.1.4.1).
 *
 * @returns null if it is not known. A rule without conditions does not apply
 */
export function evaluate(
  session: Session,
  node: TreeNode,
  { combination, conditions }: Pick<SequencingRule, 'combination' | 'conditions'>,
  reading: Reading,
): boolean | null {
  const results = conditions.map((condition) => {
    const result = test(session, node, condition, reading);
    return result !== null && condition.not ? !result : result;
  });
  if (results.length === 0) return null;
  const decisive = combination === 'any';
  if (results.includes(decisive)) return decisive;
  return results.includes(null) ? null : !decisive;
}

function test(
  session: Session,
  node: TreeNode,
  { name, objective: id, threshold }: RuleCondition,
  reading: Reading,
): boolean | null {
  const { attempts } = stateOf(session, node);
  if (name === 'always') return true;
  if (name === 'never') return false;
  if (!node.delivery.tracked) return null;
  const objective = node.objectives.find((each) => each.id === id) ?? node.primary;
  const measure = () => measureOf(session, node, objective, reading);
  const compare = (compared: (measured: number) => boolean) => {
    const measured = measure();
    return measured === null ? null : compared(measured);
  };
  switch (name) {
    case 'satisfied':
      return satisfactionOf(session, node, objective, reading);
    case 'objectiveStatusKnown':
      return satisfactionOf(session, node, objective, reading) !== null;
    case 'objectiveMeasureKnown':
      return measure() !== null;
    case 'objectiveMeasureGreaterThan':
      return compare((measured) => measured > (threshold ?? 0));
    case 'objectiveMeasureLessThan':
      return compare((measured) => measured < (threshold ?? 0));
    case 'completed':
      return completionOf(session, node, objective, reading);
    case 'activityProgressKnown':
      return completionOf(session, node, objective, reading) !== null;
    case 'attempted':
      return attempts > 0;
    case 'attemptLimitExceeded':
      return node.attemptLimit === null ? null : attempts >= node.attemptLimit;
    // Runtimes need not evaluate limits of time (SCORM 2004 SN 3.5).
    case 'timeLimitExceeded':
    case 'outsideAvailableTimeRange':
      return null;
  }
}
