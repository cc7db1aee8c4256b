import type { GlobalObjectives } from '../results/global-objectives.ts';
import { percent } from '../results/sco-result.ts';
import { completionStatuses, successStatuses } from '../results/scorm-2004-runtime.ts';

/** Returns the global objectives in the API. Unknown values are absent. */
export const toObjectiveRecords = (globals: GlobalObjectives) =>
  Object.entries(globals).map(([id, values]) => ({
    id,
    primary: false,
    ...(values['score.scaled'] && { score: { scaled: percent(Number(values['score.scaled'])) } }),
    ...numberAt('scoreRaw', values['score.raw']),
    ...numberAt('scoreMin', values['score.min']),
    ...numberAt('scoreMax', values['score.max']),
    ...numberAt('progressMeasure', values['progress_measure']),
    objectiveCompletion: completionStatuses.get(values['completion_status'] ?? '') ?? 'UNKNOWN',
    objectiveSuccess: successStatuses.get(values['success_status'] ?? '') ?? 'UNKNOWN',
  }));

const numberAt = (name: string, value: string | undefined) =>
  value !== undefined && { [name]: Number(value) };
