import type { LearningStandard } from '../packages/course-structure.ts';
import { readRuntime } from '../results/read-runtime.ts';
import type { Runtime } from '../results/scorm-2004-runtime.ts';
import { timespanOf } from '../results/timespan.ts';
import type { RegistrationDetails } from './registration-details.ts';
import type { ScoStateRow } from './registration-row.ts';

/** The run-time data of a SCO in the API. Numbers are text, which is empty for an absent number. */
export type RuntimeRecord = ReturnType<typeof toRuntimeRecord>;

export function toRuntimeRecord(
  standard: LearningStandard,
  state: ScoStateRow,
  details: RegistrationDetails,
) {
  const runtime = readRuntime(standard, state.runtime ?? {});
  return {
    completionStatus: runtime.completionStatus,
    credit: runtime.credit,
    entry: runtime.entry,
    exit: runtime.exit,
    learnerPreference: toPreferenceRecord(runtime),
    location: runtime.location,
    mode: runtime.mode,
    progressMeasure: textOf(runtime.progress),
    ...toScoreRecord(runtime.score),
    totalTime: timespanOf(runtime.totalTime),
    timeTracked: timespanOf(state.seconds),
    runtimeSuccessStatus: runtime.success,
    suspendData: runtime.suspendData,
    learnerComments: runtime.learnerComments,
    lmsComments: runtime.lmsComments,
    ...(details.includeInteractionsAndObjectives && {
      runtimeInteractions: runtime.interactions.map(toInteractionRecord),
      runtimeObjectives: runtime.objectives.map(toObjectiveRecord),
    }),
  };
}

const textOf = (value: number | null) => (value === null ? '' : String(value));

const toScoreRecord = ({ scaled, raw, min, max }: Runtime['score']) => ({
  scoreScaled: textOf(scaled),
  scoreRaw: textOf(raw),
  scoreMin: textOf(min),
  scoreMax: textOf(max),
});

const toPreferenceRecord = ({ preference }: Runtime) =>
  Object.fromEntries(Object.entries(preference).filter(([, value]) => value !== null));

const interactionTypes = new Map([
  ['true-false', 'TrueFalse'],
  ['choice', 'Choice'],
  ['fill-in', 'FillIn'],
  ['long-fill-in', 'LongFillIn'],
  ['likert', 'Likert'],
  ['matching', 'Matching'],
  ['performance', 'Performance'],
  ['sequencing', 'Sequencing'],
  ['numeric', 'Numeric'],
]);

const toInteractionRecord = (interaction: Runtime['interactions'][number]) => ({
  id: interaction.id,
  type: interactionTypes.get(interaction.type) ?? 'Other',
  objectives: interaction.objectives,
  timestamp: interaction.timestamp,
  correctResponses: interaction.correctResponses,
  weighting: interaction.weighting,
  learnerResponse: interaction.learnerResponse,
  result: interaction.result,
  latency: interaction.latency,
  description: interaction.description,
});

const toObjectiveRecord = (objective: Runtime['objectives'][number]) => ({
  id: objective.id,
  ...toScoreRecord(objective.score),
  runtimeObjectiveSuccessStatus: objective.success,
  runtimeObjectiveCompletionStatus: objective.completionStatus,
  progressMeasure: textOf(objective.progress),
  description: objective.description,
});
