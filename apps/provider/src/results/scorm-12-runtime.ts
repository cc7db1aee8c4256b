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
import type { Runtime } from './scorm-2004-runtime.ts';
import { secondsOfTimespan } from './timespan.ts';

const score = recordOf({ raw: decimal, min: decimal, max: decimal });

/** The elements of the SCORM 1.2 data model (SCORM 1.2 RTE 3.4.4) that the API returns. */
const cmi = z.object({
  core: recordOf({
    credit: text,
    entry: text,
    exit: text,
    lesson_location: text,
    lesson_mode: text,
    lesson_status: text,
    score,
    total_time: text,
  }),
  suspend_data: text,
  comments: text,
  comments_from_lms: text,
  student_preference: recordOf({ audio: decimal, language: text, speed: decimal, text: decimal }),
  objectives: listOf(z.object({ id: text, status: text, score })),
  interactions: listOf(
    z.object({
      id: text,
      type: text,
      time: text,
      weighting: text,
      student_response: text,
      result: text,
      latency: text,
      objectives: idList,
      correct_responses: patternList,
    }),
  ),
});

/** Reads run-time data of SCORM 1.2. The statuses `passed` and `failed` imply completion. */
export function readScorm12(data: RuntimeData): Runtime {
  const { core, ...rest } = cmi.parse(data);
  const comment = (value: string) => (value ? [{ value, location: '', dateTime: '' }] : []);
  return {
    ...statusOf(core.lesson_status),
    credit: core.credit,
    entry: core.entry,
    exit: core.exit,
    mode: core.lesson_mode,
    location: core.lesson_location,
    suspendData: rest.suspend_data,
    progress: null,
    score: scoreOf(core.score),
    totalTime: secondsOfTimespan(core.total_time),
    preference: {
      audioLevel: rest.student_preference.audio,
      language: rest.student_preference.language,
      deliverySpeed: rest.student_preference.speed,
      audioCaptioning: rest.student_preference.text,
    },
    learnerComments: comment(rest.comments),
    lmsComments: comment(rest.comments_from_lms),
    interactions: rest.interactions.map(
      ({ time, student_response, correct_responses: correctResponses, ...given }) => ({
        ...given,
        timestamp: time,
        learnerResponse: student_response,
        correctResponses,
        description: '',
      }),
    ),
    objectives: rest.objectives.map((objective) => ({
      id: objective.id,
      score: scoreOf(objective.score),
      ...statusOf(objective.status),
      progress: null,
      description: '',
    })),
  };
}

/**
 * Returns the data of a SCO whose content has ended its session (SCORM 1.2 RTE 3.4.4,
 * cmi.core.lesson_status). If the content reported no status, it becomes `completed`. Where the manifest
 * has a mastery score and the content reported a score, `completed` becomes `passed` or `failed`. A
 * session that is to be resumed, or that ran out of time, keeps its status.
 *
 * @param masteryScore 0 to 100; null if the manifest has none
 * @param scoreOverrides whether every status becomes `passed` or `failed` then
 */
export function withFinalStatus(
  data: RuntimeData,
  masteryScore: number | null,
  scoreOverrides = false,
): RuntimeData {
  const { core } = cmi.parse(data);
  if (['suspend', 'time-out'].includes(core.exit)) return data;
  const isOpen = ['', 'not attempted', 'completed'].includes(core.lesson_status);
  const decided = statusOfScore(core.score.raw, masteryScore);
  const isDecided = scoreOverrides && decided !== null;
  if (!isOpen && !isDecided) return data;
  const stored = z.record(z.string(), z.json()).catch({}).parse(data['core']);
  return { ...data, core: { ...stored, lesson_status: decided ?? 'completed' } };
}

function statusOfScore(raw: number | null, masteryScore: number | null) {
  if (raw === null || masteryScore === null) return null;
  return raw >= masteryScore ? 'passed' : 'failed';
}

const statuses = new Map<string, [CompletionStatus, Success]>([
  ['passed', ['COMPLETED', 'PASSED']],
  ['failed', ['COMPLETED', 'FAILED']],
  ['completed', ['COMPLETED', 'UNKNOWN']],
  ['incomplete', ['INCOMPLETE', 'UNKNOWN']],
  ['browsed', ['BROWSED', 'UNKNOWN']],
  ['not attempted', ['NOT_ATTEMPTED', 'UNKNOWN']],
]);

function statusOf(status: string) {
  const [completionStatus, success] = statuses.get(status) ?? (['UNKNOWN', 'UNKNOWN'] as const);
  return { completionStatus, success };
}

/** Scales a raw score between its minimum and maximum, by default 0 and 100. */
function scoreOf({ raw, min, max }: z.output<typeof score>): Runtime['score'] {
  const [low, high] = [min ?? 0, max ?? 100];
  const scaled = raw === null || high <= low ? null : (raw - low) / (high - low);
  return { scaled, raw, min, max };
}
