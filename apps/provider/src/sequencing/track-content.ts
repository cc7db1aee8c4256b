import * as z from 'zod';
import type { ObjectiveElement } from '../packages/course-structure.ts';
import { objectiveEntries, type ObjectiveValues, valuesOf } from '../results/global-objectives.ts';
import { listOf, type RuntimeData, text } from '../results/runtime.ts';
import { readScorm2004 } from '../results/scorm-2004-runtime.ts';
import { changeable, type Session } from './sequencing-state.ts';
import { setValues } from './tracking.ts';

const elements: readonly ObjectiveElement[] = [
  'success_status',
  'completion_status',
  'progress_measure',
  'score.scaled',
  'score.raw',
  'score.min',
  'score.max',
];

const statuses = z.object({ success_status: text, completion_status: text });
const explicit = statuses.extend({ objectives: listOf(statuses.extend({ id: text })) });

/**
 * Takes over what content has reported of an activity into the state of its attempt (SCORM 2004 RTE
 * 4.2). Ignores an activity that is not tracked.
 *
 * @param isSuspended whether its content is to be resumed
 */
export function trackContent(
  session: Session,
  activityId: string,
  data: RuntimeData,
  isSuspended: boolean,
): void {
  const node = session.tree.nodes.get(activityId);
  if (!node) return;
  changeable(session, node).suspended = isSuspended;
  if (!node.delivery.tracked) return;
  const runtime = readScorm2004(data);
  const entries = objectiveEntries(runtime);
  const reported = explicit.parse(data);
  const explicitEntries = new Map(reported.objectives.map((entry) => [entry.id, entry]));
  for (const objective of node.objectives) {
    const values: ObjectiveValues = {
      ...valuesOf(objective, runtime, entries),
      ...unknownStatuses(explicitEntries.get(objective.id)),
      ...(objective === node.primary && unknownStatuses(reported)),
    };
    setValues(
      session,
      node,
      objective,
      Object.fromEntries(elements.map((name) => [name, values[name]])),
    );
  }
}

/** The statuses that content has set to be unknown. */
const unknownStatuses = (reported: z.output<typeof statuses> | undefined) => ({
  ...(reported?.success_status === 'unknown' && { success_status: 'unknown' }),
  ...(reported?.completion_status === 'unknown' && { completion_status: 'unknown' }),
});
