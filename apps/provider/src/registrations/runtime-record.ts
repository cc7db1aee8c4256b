import type { LearningStandard } from '../packages/course-structure.ts';
import { readRuntime } from '../results/read-runtime.ts';
import type {
  Runtime,
  RuntimeInteraction,
  RuntimeObjective,
  RuntimeScore,
} from '../results/runtime.ts';
import { timespanOf } from '../results/timespan.ts';
import type { ScoState } from './registration-row.ts';

/** A SCO's run-time data as the API tells them: numbers as text, empty where there are none. */
export type RuntimeRecord = ReturnType<typeof runtimeRecord>;

export function runtimeRecord(
  standard: LearningStandard,
  state: ScoState,
  parts: { readonly interactionsAndObjectives: boolean },
) {
  const runtime = readRuntime(standard, state.runtime ?? {});
  return {
    completionStatus: runtime.completionStatus,
    credit: runtime.credit,
    entry: runtime.entry,
    exit: runtime.exit,
    learnerPreference: preferenceRecord(runtime),
    location: runtime.location,
    mode: runtime.mode,
    progressMeasure: textOf(runtime.progress),
    ...scoreRecord(runtime.score),
    totalTime: timespanOf(runtime.totalTime),
    timeTracked: timespanOf(state.seconds),
    runtimeSuccessStatus: runtime.success,
    suspendData: runtime.suspendData,
    learnerComments: runtime.learnerComments,
    lmsComments: runtime.lmsComments,
    ...(parts.interactionsAndObjectives && {
      runtimeInteractions: runtime.interactions.map(interactionRecord),
      runtimeObjectives: runtime.objectives.map(objectiveRecord),
    }),
  };
}

const textOf = (value: number | null) => (value === null ? '' : String(value));

const scoreRecord = ({ scaled, raw, min, max }: RuntimeScore) => ({
  scoreScaled: textOf(scaled),
  scoreRaw: textOf(raw),
  scoreMin: textOf(min),
  scoreMax: textOf(max),
});

const preferenceRecord = ({ preference }: Runtime) =>
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

const interactionRecord = (interaction: RuntimeInteraction) => ({
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

const objectiveRecord = (objective: RuntimeObjective) => ({
  id: objective.id,
  ...scoreRecord(objective.score),
  runtimeObjectiveSuccessStatus: objective.success,
  runtimeObjectiveCompletionStatus: objective.completionStatus,
  progressMeasure: textOf(objective.progress),
  description: objective.description,
});
