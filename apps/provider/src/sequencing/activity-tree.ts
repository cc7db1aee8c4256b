import { type Activity, launchablesOf, type Objective } from '../packages/course-structure.ts';
import {
  type ConstrainedChoice,
  type ControlMode,
  defaultControlMode,
  defaultDelivery,
  defaultRollup,
  type DeliveryControls,
  type Rollup,
  type RollupRule,
  type RuleKind,
  type Selection,
  type SequencingRule,
} from '../packages/sequencing-definition.ts';

/** An activity in its tree, with the defaults of what the manifest leaves out. */
export interface TreeNode {
  readonly id: string;
  readonly activity: Activity;
  /** Null for the root. */
  readonly parent: TreeNode | null;
  /** All of them, in the order of the manifest. */
  readonly children: readonly TreeNode[];
  readonly depth: number;
  readonly controlMode: ControlMode;
  readonly rules: Readonly<Record<RuleKind, readonly SequencingRule[]>>;
  readonly attemptLimit: number | null;
  readonly rollup: Rollup;
  readonly rollupRules: readonly RollupRule[];
  readonly selection: Selection | null;
  readonly delivery: DeliveryControls;
  readonly constrainedChoice: ConstrainedChoice;
  /** The objective that rolls up, which every activity has (SCORM 2004 SN 3.10.1). */
  readonly primary: Objective;
  /** The primary objective and the others. */
  readonly objectives: readonly Objective[];
}

export interface ActivityTree {
  readonly root: TreeNode;
  readonly nodes: ReadonlyMap<string, TreeNode>;
}

/** Builds the activity tree of a course. */
export function buildTree(root: Activity): ActivityTree {
  const nodes = new Map<string, TreeNode>();
  return { root: addNode(root, null, nodes), nodes };
}

function addNode(
  activity: Activity,
  parent: TreeNode | null,
  nodes: Map<string, TreeNode>,
): TreeNode {
  const { sequencing = {}, objectives = [] } = activity;
  const primary = objectives.find(({ isPrimary }) => isPrimary) ?? {
    id: '',
    isPrimary: true,
    minimumMeasure: activity.scaledPassingScore,
    maps: [],
  };
  const children: TreeNode[] = [];
  const node: TreeNode = {
    id: activity.id,
    activity,
    parent,
    children,
    depth: parent ? parent.depth + 1 : 0,
    controlMode: { ...defaultControlMode, ...sequencing.controlMode },
    rules: {
      preConditionRules: sequencing.preConditionRules ?? [],
      exitConditionRules: sequencing.exitConditionRules ?? [],
      postConditionRules: sequencing.postConditionRules ?? [],
    },
    attemptLimit: sequencing.attemptLimit ?? null,
    rollup: { ...defaultRollup, ...sequencing.rollup },
    rollupRules: sequencing.rollupRules ?? [],
    selection: sequencing.selection ?? null,
    delivery: { ...defaultDelivery, ...sequencing.delivery },
    constrainedChoice: {
      preventActivation: false,
      constrainChoice: false,
      ...sequencing.constrainedChoice,
    },
    primary,
    objectives: [primary, ...objectives.filter((objective) => objective !== primary)],
  };
  nodes.set(activity.id, node);
  // An item that neither launches content nor contains some is no activity.
  const launching = activity.children.filter((child) => launchablesOf(child).length > 0);
  children.push(...launching.map((child) => addNode(child, node, nodes)));
  return node;
}

/** The activities from this one up to the root, both included. */
export function pathToRoot(node: TreeNode): TreeNode[] {
  const path: TreeNode[] = [];
  for (let at: TreeNode | null = node; at; at = at.parent) path.push(at);
  return path;
}

/** The activities from this one up to an ancestor, without the ancestor. */
export const pathBelow = (node: TreeNode, ancestor: TreeNode): TreeNode[] =>
  pathToRoot(node).slice(0, Math.max(0, node.depth - ancestor.depth));

/** The deepest activity that contains both, or is one of them. */
export function commonAncestor(one: TreeNode, other: TreeNode): TreeNode {
  const ancestors = new Set(pathToRoot(other));
  return pathToRoot(one).find((node) => ancestors.has(node)) ?? one;
}

export const isWithin = (node: TreeNode, ancestor: TreeNode): boolean =>
  pathToRoot(node).includes(ancestor);
