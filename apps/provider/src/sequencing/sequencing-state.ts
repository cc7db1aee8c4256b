import * as z from 'zod';
import { globalObjectives, objectiveValues } from '../results/global-objectives.ts';
import type { ActivityTree, TreeNode } from './activity-tree.ts';

/** What is known of an activity (SCORM 2004 SN 4.2). Absent until its first attempt. */
const activityState = z.object({
  /** The number of attempts that have begun. */
  attempts: z.number().default(0),
  active: z.boolean().default(false),
  suspended: z.boolean().default(false),
  /** Local values of the objectives of the current attempt, by id; the primary one without an id is ''. */
  objectives: z.record(z.string(), objectiveValues).default({}),
  /** Whether the objectives, or the progress, belong to an earlier attempt on an activity above. */
  hasOldObjectives: z.boolean().default(false),
  hasOldProgress: z.boolean().default(false),
  /** The ids of the available children in their order, if it is not that of the manifest. */
  children: z.array(z.string()).optional(),
});
export type ActivityState = z.output<typeof activityState>;

/**
 * The state of the sequencing of a registration, as it is stored. Its size is bounded by that of the
 * course structure: it has one entry for each activity, and values for the objectives of the manifest.
 */
export const sequencingState = z.object({
  /** The activity that was delivered last in the sequencing session; null outside of a session. */
  current: z.string().nullable(),
  /** The activity at which all was suspended. */
  suspended: z.string().nullable(),
  /** Of activities that have been attempted, and of clusters whose children were chosen. */
  activities: z.record(z.string(), activityState),
  globals: globalObjectives,
});
export type SequencingState = z.output<typeof sequencingState>;

/** A sequencing session: the tree of a course, and the state that a request changes. */
export interface Session {
  readonly tree: ActivityTree;
  readonly state: SequencingState;
  /** Whether global objectives outlive an attempt on the course. */
  readonly keepsGlobals: boolean;
  /** Returns a number from 0 to 1, without 1. */
  readonly random: () => number;
}

export const emptyState = (): SequencingState => ({
  current: null,
  suspended: null,
  activities: {},
  globals: {},
});

const untouched: ActivityState = Object.freeze(activityState.parse({}));

/** Returns the state of an activity, to be read. */
export const stateOf = ({ state }: Session, { id }: TreeNode): Readonly<ActivityState> =>
  state.activities[id] ?? untouched;

/** Returns the state of an activity, to be changed. */
export const changeable = ({ state }: Session, { id }: TreeNode): ActivityState =>
  (state.activities[id] ??= activityState.parse({}));

export const currentOf = ({ tree, state }: Session): TreeNode | null =>
  (state.current !== null && tree.nodes.get(state.current)) || null;

export const suspendedOf = ({ tree, state }: Session): TreeNode | null =>
  (state.suspended !== null && tree.nodes.get(state.suspended)) || null;

/** The available children of an activity, in their order (SCORM 2004 SN 4.2.1.5). */
export function childrenOf(session: Session, node: TreeNode): readonly TreeNode[] {
  const chosen = stateOf(session, node).children;
  if (!chosen) return node.children;
  return chosen.flatMap((id) => node.children.find((child) => child.id === id) ?? []);
}

export const isAvailable = (session: Session, node: TreeNode): boolean =>
  node.parent === null || childrenOf(session, node.parent).includes(node);

export const isLeaf = ({ children }: TreeNode): boolean => children.length === 0;
