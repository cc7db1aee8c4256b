import * as z from 'zod';
import type { Success } from './result.ts';
import {
  type CompletionStatus,
  decimal,
  idList,
  listOf,
  patternList,
  recordOf,
  type RuntimeData,
  text,
} from './runtime.ts';
import { secondsOfDuration } from './timespan.ts';

/** `scaled` is -1 to 1. */
const score = recordOf({ scaled: decimal, raw: decimal, min: decimal, max: decimal });
const status = { completion_status: text, success_status: text, progress_measure: decimal, score };
const comments = listOf(z.object({ comment: text, location: text, timestamp: text }));

/** The elements of the SCORM 2004 data model (SCORM 2004 RTE 4.2) that the API returns. */
const cmi = z.object({
  ...status,
  credit: text,
  entry: text,
  exit: text,
  mode: text,
  location: text,
  suspend_data: text,
  total_time: text,
  learner_preference: recordOf({
    audio_level: decimal,
    language: text,
    delivery_speed: decimal,
    audio_captioning: decimal,
  }),
  comments_from_learner: comments,
  comments_from_lms: comments,
  objectives: listOf(z.object({ id: text, ...status, description: text })),
  interactions: listOf(
    z.object({
      id: text,
      type: text,
      objectives: idList,
      timestamp: text,
      correct_responses: patternList,
      weighting: text,
      learner_response: text,
      result: text,
      latency: text,
      description: text,
    }),
  ),
});

/** Run-time data with the names of the API, the same for both standards. Times are in seconds. */
export type Runtime = ReturnType<typeof readScorm2004>;

/** Reads run-time data of SCORM 2004, in any edition. */
export function readScorm2004(data: RuntimeData) {
  const read = cmi.parse(data);
  const commentsOf = (list: typeof read.comments_from_learner) =>
    list.map(({ comment, location, timestamp }) => ({
      value: comment,
      location,
      dateTime: timestamp,
    }));
  return {
    ...statusOf(read),
    credit: read.credit,
    entry: read.entry,
    exit: read.exit,
    mode: read.mode,
    location: read.location,
    suspendData: read.suspend_data,
    totalTime: secondsOfDuration(read.total_time),
    preference: {
      audioLevel: read.learner_preference.audio_level,
      language: read.learner_preference.language,
      deliverySpeed: read.learner_preference.delivery_speed,
      audioCaptioning: read.learner_preference.audio_captioning,
    },
    learnerComments: commentsOf(read.comments_from_learner),
    lmsComments: commentsOf(read.comments_from_lms),
    interactions: read.interactions.map(
      ({ learner_response: learnerResponse, correct_responses: correctResponses, ...given }) => ({
        ...given,
        learnerResponse,
        correctResponses,
      }),
    ),
    objectives: read.objectives.map((objective) => ({
      id: objective.id,
      description: objective.description,
      ...statusOf(objective),
    })),
  };
}

export const completionStatuses = new Map<string, CompletionStatus>([
  ['completed', 'COMPLETED'],
  ['incomplete', 'INCOMPLETE'],
  ['not attempted', 'NOT_ATTEMPTED'],
]);
export const successStatuses = new Map<string, Success>([
  ['passed', 'PASSED'],
  ['failed', 'FAILED'],
]);

function statusOf(given: z.output<z.ZodObject<typeof status>>) {
  return {
    completionStatus: completionStatuses.get(given.completion_status) ?? 'UNKNOWN',
    success: successStatuses.get(given.success_status) ?? 'UNKNOWN',
    progress: given.progress_measure,
    score: given.score,
  };
}
