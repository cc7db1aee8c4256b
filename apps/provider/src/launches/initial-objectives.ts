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
const storedEntry = z.record(z.string(), z.json());
const storedId = z.object({ id: z.string() }).transform(({ id }) => id);

/**
 * Returns `cmi.objectives` with which a SCO starts: those of earlier sessions, and the objectives of
 * the manifest that are not among them. Their values are those that their maps read from global
 * objectives, where these are known (SCORM 2004 RTE 4.2.17).
 */
export function initialObjectives(
  stored: RuntimeData[string] | undefined,
  objectives: readonly Objective[],
  globals: GlobalObjectives,
): RuntimeData {
  const idOf = (entry: z.core.util.JSONType) => storedId.safeParse(entry).data;
  const byId = new Map(
    objectives.map((objective) => [objective.id as string | undefined, objective]),
  );
  const valuesOf = (id: string | undefined) => {
    const objective = byId.get(id);
    return objective ? nested(mappedValues(objective, globals)) : {};
  };
  const kept = storedList.parse(stored ?? {}).map((entry) => merged(entry, valuesOf(idOf(entry))));
  const keptIds = new Set(kept.map(idOf));
  const added = objectives
    .filter(({ id }) => !keptIds.has(id))
    .map((objective) => ({ id: objective.id, ...nested(mappedValues(objective, globals)) }));
  return Object.fromEntries([...kept, ...added].entries());
}

/** Adds values to a stored entry. */
function merged(entry: z.core.util.JSONType, { score, ...values }: RuntimeData) {
  const stored = storedEntry.safeParse(entry).data;
  if (!stored) return entry;
  const scores = {
    ...storedEntry.catch({}).parse(stored['score']),
    ...storedEntry.parse(score ?? {}),
  };
  return { ...stored, ...values, ...(Object.keys(scores).length > 0 && { score: scores }) };
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
