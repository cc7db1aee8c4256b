import * as z from 'zod';
import type { Objective } from '../packages/course-structure.ts';
import {
  type GlobalObjectives,
  mappedValues,
  type ObjectiveValues,
} from '../results/global-objectives.ts';
import type { RuntimeData } from '../results/runtime.ts';

/** A stored list with at least one entry. */
const storedList = z
  .record(z.string(), z.json())
  .transform((list) => Object.values(list))
  .catch([]);
const storedId = z.object({ id: z.string() }).transform(({ id }) => id);

/**
 * Returns `cmi.objectives` with which a SCO starts: those of earlier sessions, and the objectives of
 * the manifest that are not among them, with the values that their maps read from global objectives
 * (SCORM 2004 RTE 4.2.17).
 */
export function initialObjectives(
  stored: RuntimeData[string] | undefined,
  objectives: readonly Objective[],
  globals: GlobalObjectives,
): RuntimeData {
  const kept = storedList.parse(stored ?? {});
  const keptIds = new Set(kept.map((entry) => storedId.safeParse(entry).data));
  const added = objectives
    .filter(({ id }) => !keptIds.has(id))
    .map((objective) => ({ id: objective.id, ...nested(mappedValues(objective, globals)) }));
  return Object.fromEntries([...kept, ...added].entries());
}

/** Makes a tree of elements such as `score.scaled`. */
function nested(values: ObjectiveValues): RuntimeData {
  const prefix = 'score.';
  const entries = Object.entries(values);
  const score = entries
    .filter(([element]) => element.startsWith(prefix))
    .map(([element, value]) => [element.slice(prefix.length), value] as const);
  return {
    ...Object.fromEntries<string>(entries.filter(([element]) => !element.startsWith(prefix))),
    score: Object.fromEntries<string>(score),
  };
}
