import { describe, expect, it } from 'vitest';
import * as scormAgain from 'scorm-again';
import { type RuntimeData, runtimeData } from './runtime.ts';
import { type PassingRules, scoResult } from './sco-result.ts';
import { readScorm12, withFinalStatus } from './scorm-12-runtime.ts';
import { readScorm2004 } from './scorm-2004-runtime.ts';

const settings = { logLevel: 'NONE' } as const;
const noRules: PassingRules = { scaledPassingScore: null, completionThreshold: null };

/** The part of scorm-again's classes that is used here; its own types do not resolve in Node. */
type Api = new (settings: object) => {
  lmsInitialize(nothing: ''): string;
  lmsSetValue(element: string, value: string): string;
  renderCommitCMI(terminated: boolean): unknown;
};
const { Scorm12API, Scorm2004API } = scormAgain as Record<string, unknown> as {
  Scorm12API: Api;
  Scorm2004API: Api;
};

/** Returns the data that the player stores after content has set these values. */
const storedBy = (Api: Api) => (values: Record<string, string>) => {
  const api = new Api(settings);
  api.lmsInitialize('');
  for (const [element, value] of Object.entries(values)) {
    expect([element, api.lmsSetValue(`cmi.${element}`, value)]).toEqual([element, 'true']);
  }
  return (api.renderCommitCMI(true) as { cmi: RuntimeData }).cmi;
};
const scorm12 = storedBy(Scorm12API);
const scorm2004 = storedBy(Scorm2004API);

const interaction = (response: string, extra: Record<string, string>) => ({
  'objectives.0.id': 'o1',
  'interactions.0.id': 'q1',
  'interactions.0.type': 'choice',
  'interactions.0.objectives.0.id': 'o1',
  'interactions.0.correct_responses.0.pattern': 'a',
  [`interactions.0.${response}`]: 'b',
  ...extra,
});

describe('runtimeData', () => {
  it('keeps run-time data unchanged except for NUL and unpaired surrogates', () => {
    const cut = '🎓'.slice(0, 1);
    expect(
      runtimeData.parse({
        suspend_data: `a\0b${cut}`,
        interactions: { '0': { id: 'ä🎓', objectives: [{ [`x${cut}`]: null }] } },
      }),
    ).toEqual({
      suspend_data: 'ab\ufffd',
      interactions: { '0': { id: 'ä🎓', objectives: [{ 'x\ufffd': null }] } },
    });
    expect(runtimeData.safeParse({ suspend_data: undefined }).success).toBe(false);
  });
});

describe('readScorm12', () => {
  it('reads the SCORM 1.2 data model', () => {
    const data = scorm12(
      interaction('student_response', {
        'core.lesson_status': 'failed',
        'core.lesson_location': 'page-3',
        'core.exit': 'suspend',
        'core.score.raw': '30',
        'core.score.max': '50',
        'core.session_time': '00:01:30',
        suspend_data: 'kept',
        comments: 'too long',
        'interactions.0.result': 'wrong',
        'objectives.0.status': 'passed',
        'student_preference.language': 'en',
      }),
    );
    expect(readScorm12(data)).toMatchObject({
      completionStatus: 'COMPLETED',
      success: 'FAILED',
      exit: 'suspend',
      location: 'page-3',
      suspendData: 'kept',
      totalTime: 90,
      score: { scaled: 0.6, raw: 30, min: null, max: 50 },
      preference: { language: 'en' },
      learnerComments: [{ value: 'too long' }],
      interactions: [
        {
          id: 'q1',
          type: 'choice',
          objectives: ['o1'],
          correctResponses: ['a'],
          learnerResponse: 'b',
          result: 'wrong',
        },
      ],
      objectives: [{ id: 'o1', success: 'PASSED', completionStatus: 'COMPLETED' }],
    });
  });

  it.each([
    ['passed', 'COMPLETED', 'PASSED'],
    ['failed', 'COMPLETED', 'FAILED'],
    ['completed', 'COMPLETED', 'UNKNOWN'],
    ['incomplete', 'INCOMPLETE', 'UNKNOWN'],
    ['browsed', 'INCOMPLETE', 'UNKNOWN'],
  ])('reads lesson_status %p as %p and %p', (status, completion, success) => {
    const runtime = readScorm12(scorm12({ 'core.lesson_status': status }));
    expect(scoResult(runtime, noRules, false)).toMatchObject({ completion, success, score: null });
  });

  it('scales a raw score between its minimum and maximum', () => {
    const score = (values: Record<string, string>) =>
      scoResult(readScorm12(scorm12(values)), noRules, false).score;
    expect(score({ 'core.score.raw': '83' })).toBe(83);
    expect(score({ 'core.score.raw': '3', 'core.score.min': '1', 'core.score.max': '5' })).toBe(50);
  });
});

describe('withFinalStatus', () => {
  const status = (values: Record<string, string>, masteryScore: number | null = null) =>
    readScorm12(withFinalStatus(scorm12(values), masteryScore));

  it('completes content of SCORM 1.2 that ended without a status', () => {
    expect(status({})).toMatchObject({ completionStatus: 'COMPLETED', success: 'UNKNOWN' });
    expect(status({ 'core.score.raw': '70' })).toMatchObject({ success: 'UNKNOWN' });
    expect(withFinalStatus({}, 50)).toEqual({ core: { lesson_status: 'completed' } });
    expect(withFinalStatus({ core: 'x' }, 50)).toEqual({ core: { lesson_status: 'completed' } });
  });

  it('compares the score of SCORM 1.2 content that ended without a status with the mastery score', () => {
    expect(status({ 'core.score.raw': '70' }, 70)).toMatchObject({ success: 'PASSED' });
    expect(status({ 'core.score.raw': '69' }, 70)).toMatchObject({ success: 'FAILED' });
    expect(status({}, 70)).toMatchObject({ completionStatus: 'COMPLETED', success: 'UNKNOWN' });
  });

  it('lets the mastery score decide over content of SCORM 1.2 that completed without passing or failing', () => {
    const completed = { 'core.lesson_status': 'completed' };
    expect(status({ ...completed, 'core.score.raw': '70' }, 70).success).toBe('PASSED');
    expect(status({ ...completed, 'core.score.raw': '69' }, 70).success).toBe('FAILED');
    expect(status(completed, 70)).toMatchObject({ success: 'UNKNOWN' });
    const failed = { 'core.lesson_status': 'failed', 'core.score.raw': '90' };
    expect(status(failed, 70).success).toBe('FAILED');
  });

  it('lets the score override every status of SCORM 1.2 content with a mastery score, if the course says so', () => {
    const overridden = (values: Record<string, string>, masteryScore: number | null) =>
      readScorm12(withFinalStatus(scorm12(values), masteryScore, true)).success;
    const failed = { 'core.lesson_status': 'failed' };
    expect(overridden({ ...failed, 'core.score.raw': '90' }, 70)).toBe('PASSED');
    const incomplete = { 'core.lesson_status': 'incomplete', 'core.score.raw': '10' };
    expect(overridden(incomplete, 70)).toBe('FAILED');
    expect(overridden({ ...incomplete, 'core.exit': 'suspend' }, 70)).toBe('UNKNOWN');
    expect(overridden(failed, 70)).toBe('FAILED');
    expect(overridden({ ...failed, 'core.score.raw': '90' }, null)).toBe('FAILED');
  });

  it('keeps a reported status, and that of content which is to be resumed or ran out of time', () => {
    const incomplete = { completionStatus: 'INCOMPLETE' };
    expect(status({ 'core.lesson_status': 'incomplete' }, 70)).toMatchObject(incomplete);
    const untouched = { completionStatus: 'NOT_ATTEMPTED' };
    expect(status({ 'core.exit': 'suspend' })).toMatchObject(untouched);
    expect(status({ 'core.exit': 'time-out' })).toMatchObject(untouched);
  });
});

describe('readScorm2004', () => {
  it('reads the SCORM 2004 data model', () => {
    const data = scorm2004(
      interaction('learner_response', {
        completion_status: 'incomplete',
        success_status: 'passed',
        location: 'page-3',
        exit: 'suspend',
        'score.scaled': '0.07',
        progress_measure: '0.5',
        session_time: 'PT1M30S',
        suspend_data: 'kept',
        'interactions.0.result': 'incorrect',
        'interactions.0.description': 'A question',
        'objectives.0.success_status': 'failed',
        'comments_from_learner.0.comment': 'too long',
      }),
    );
    const runtime = readScorm2004(data);
    expect(runtime).toMatchObject({
      completionStatus: 'INCOMPLETE',
      success: 'PASSED',
      exit: 'suspend',
      location: 'page-3',
      suspendData: 'kept',
      progress: 0.5,
      totalTime: 90,
      learnerComments: [{ value: 'too long' }],
      interactions: [
        {
          id: 'q1',
          objectives: ['o1'],
          correctResponses: ['a'],
          learnerResponse: 'b',
          result: 'incorrect',
          description: 'A question',
        },
      ],
      objectives: [{ id: 'o1', success: 'FAILED', completionStatus: 'UNKNOWN' }],
    });
    expect(scoResult(runtime, noRules, false)).toEqual({
      completion: 'INCOMPLETE',
      success: 'PASSED',
      score: 7,
      progress: 0.5,
    });
  });

  const result = (values: Record<string, string>, rules = noRules, ended = false) =>
    scoResult(readScorm2004(scorm2004(values)), rules, ended);

  it("applies the package's passing score and completion threshold", () => {
    const passing = { ...noRules, scaledPassingScore: 0.8 };
    expect(result({ 'score.scaled': '0.8' }, passing).success).toBe('PASSED');
    expect(result({ 'score.scaled': '0.79' }, passing).success).toBe('FAILED');
    expect(result({ success_status: 'passed' }, passing).success).toBe('UNKNOWN');
    const threshold = { ...noRules, completionThreshold: 0.9 };
    expect(result({ progress_measure: '0.9' }, threshold).completion).toBe('COMPLETED');
    expect(
      result({ progress_measure: '0.8', completion_status: 'completed' }, threshold).completion,
    ).toBe('INCOMPLETE');
    expect(result({ completion_status: 'completed' }, threshold).completion).toBe('COMPLETED');
  });

  it('completes a SCO that ends its session without reporting completion', () => {
    expect(result({ location: 'end' }, noRules, true).completion).toBe('COMPLETED');
    expect(result({ location: 'end' }, noRules, false).completion).toBe('INCOMPLETE');
    expect(result({ completion_status: 'incomplete' }, noRules, true).completion).toBe(
      'INCOMPLETE',
    );
  });

  it('keeps the score between 0 and 100', () => {
    expect(result({ 'score.scaled': '-0.5' }).score).toBe(0);
    expect(result({ 'score.raw': '15', 'score.min': '10', 'score.max': '20' }).score).toBe(50);
    expect(result({ 'score.raw': '15' }).score).toBeNull();
  });
});

describe('readScorm12 and readScorm2004', () => {
  it.each<RuntimeData>([
    {},
    { core: 'nonsense', score: 7, interactions: [], objectives: { first: 'x' } },
    { core: { score: null, lesson_status: 5 }, suspend_data: null, learner_preference: 'x' },
  ])('readScorm12 and readScorm2004 read malformed data as UNKNOWN: %j', (data) => {
    for (const read of [readScorm12, readScorm2004]) {
      expect(scoResult(read(data), noRules, false)).toEqual({
        completion: 'INCOMPLETE',
        success: 'UNKNOWN',
        score: null,
        progress: null,
      });
    }
  });
});
