import * as z from 'zod';
import type { Objective, ObjectiveElement } from '../packages/course-structure.ts';
import type { Runtime } from './scorm-2004-runtime.ts';

/** Known values of an objective, by the element of `cmi.objectives.n` that holds them. */
export const objectiveValues = z.record(z.string(), z.string());
export type ObjectiveValues = z.output<typeof objectiveValues>;

/** The values of a registration's global objectives, by id (SCORM 2004 SN 3.10.3). */
export const globalObjectives = z.record(z.string(), objectiveValues);
export type GlobalObjectives = z.output<typeof globalObjectives>;

/** Returns the values that an objective takes over from the global objectives of its maps. */
export function mappedValues(objective: Objective, globals: GlobalObjectives): ObjectiveValues {
  const values = objective.maps.flatMap(({ target, reads }) => pick(globals[target] ?? {}, reads));
  return withSatisfaction(objective, Object.fromEntries(values));
}

/**
 * Returns the global objectives after the content of an activity has reported. Values that are not
 * known change nothing.
 */
export function writeGlobalObjectives(
  globals: GlobalObjectives,
  objectives: readonly Objective[],
  runtime: Runtime,
): GlobalObjectives {
  const written: Record<string, ObjectiveValues> = { ...globals };
  const entries = objectiveEntries(runtime);
  for (const objective of objectives) {
    const values = valuesOf(objective, runtime, entries);
    for (const { target, writes } of objective.maps) {
      const added = pick(values, writes);
      if (added.length > 0) written[target] = { ...written[target], ...Object.fromEntries(added) };
    }
  }
  return written;
}

const pick = (values: ObjectiveValues, elements: readonly ObjectiveElement[]) =>
  Object.entries(values).filter(([element]) => elements.some((name) => name === element));

/** The entries of `cmi.objectives` by id. Content may have thousands of them. */
export const objectiveEntries = ({ objectives }: Runtime): ReadonlyMap<string, Status> =>
  new Map(objectives.map((entry) => [entry.id, entry]));

/** The primary objective has the status of the content, where the content reports one. */
export function valuesOf(
  objective: Objective,
  runtime: Runtime,
  entries: ReadonlyMap<string, Status>,
): ObjectiveValues {
  const entry = entries.get(objective.id);
  const values = {
    ...(entry && knownValues(entry)),
    ...(objective.isPrimary && knownValues(runtime)),
  };
  return withSatisfaction(objective, values);
}

/** An objective with a minimum measure is satisfied by its score. */
function withSatisfaction({ minimumMeasure }: Objective, values: ObjectiveValues): ObjectiveValues {
  const scaled = values['score.scaled'];
  if (minimumMeasure === null || scaled === undefined) return values;
  return { ...values, success_status: Number(scaled) >= minimumMeasure ? 'passed' : 'failed' };
}

type Status = Pick<Runtime, 'success' | 'completionStatus' | 'progress' | 'score'>;

const successStatuses = { UNKNOWN: null, PASSED: 'passed', FAILED: 'failed' };
const completionStatuses = {
  UNKNOWN: null,
  NOT_ATTEMPTED: 'incomplete',
  BROWSED: null,
  INCOMPLETE: 'incomplete',
  COMPLETED: 'completed',
};

function knownValues({ success, completionStatus, progress, score }: Status): ObjectiveValues {
  const values: Record<ObjectiveElement, string | number | null> = {
    success_status: successStatuses[success],
    completion_status: completionStatuses[completionStatus],
    progress_measure: progress,
    'score.scaled': score.scaled,
    'score.raw': score.raw,
    'score.min': score.min,
    'score.max': score.max,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([element, value]) =>
      value === null ? [] : [[element, String(value)]],
    ),
  );
}
