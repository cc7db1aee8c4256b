import { describe, expect, it } from 'vitest';
import * as scormAgain from 'scorm-again';

/** The part of scorm-again's classes that is used here; its own types do not resolve in Node. */
type Api = new (settings: object) => Record<string, (...values: string[]) => string>;
const { Scorm12API, Scorm2004API } = scormAgain as Record<string, unknown> as {
  Scorm12API: Api;
  Scorm2004API: Api;
};

/** Makes calls of content that follow `Initialize`. @returns the results of the last call */
const run = (Class: Api, prefix: string, ...calls: string[][]) => {
  const api = new Class({ logLevel: 'NONE', scoItemIds: ['part.1'] });
  api[`${prefix}Initialize`]?.('');
  const results = calls.map(([name = '', ...values]) => [
    api[prefix + name]?.(...values),
    api[`${prefix}GetLastError`]?.(),
  ]);
  return results.at(-1);
};
const run2004 = (...calls: string[][]) => run(Scorm2004API, '', ...calls);
const run12 = (...calls: string[][]) => run(Scorm12API, 'LMS', ...calls);

const set = (element: string, value: string) => ['SetValue', element, value];
const get = (element: string) => ['GetValue', element];
const interaction = (type: string) => [
  set('cmi.interactions.0.id', 'q'),
  set('cmi.interactions.0.type', type),
];
const rejected = ['false', '406'];

/**
 * The faults that `content-api.js`, `data-model.js` and `withFinalStatus` correct, as docs/scorm-runtime.md lists
 * them. When a test fails, a release of the library has corrected the fault: remove the correction.
 */
describe('scorm-again', () => {
  it('rejects texts of SCORM 2004 with line breaks', () => {
    for (const [element, type] of [
      ['interactions.0.learner_response', 'long-fill-in'],
      ['interactions.0.learner_response', 'fill-in'],
      ['interactions.0.correct_responses.0.pattern', 'long-fill-in'],
      ['interactions.0.description', 'choice'],
    ] as const) {
      expect(run2004(...interaction(type), set(`cmi.${element}`, 'a\nb'))).toEqual(rejected);
    }
    expect(run2004(set('cmi.comments_from_learner.0.comment', 'a\nb'))).toEqual(rejected);
    expect(
      run2004(set('cmi.objectives.0.id', 'o'), set('cmi.objectives.0.description', 'a\nb')),
    ).toEqual(rejected);
  });

  it('rejects answers of SCORM 1.2 with line breaks', () => {
    const answer = set('cmi.interactions.0.student_response', 'a\nb');
    expect(run12(...interaction('fill-in'), answer)).toEqual(['false', '405']);
  });

  it('rejects texts of SCORM 2004 that begin with a brace or exceed the least length', () => {
    const answer = (text: string) => set('cmi.interactions.0.learner_response', text);
    expect(run2004(...interaction('fill-in'), answer('{"x":1}'))).toEqual(rejected);
    expect(run2004(set('cmi.comments_from_learner.0.comment', '{1}'))).toEqual(rejected);
    expect(run2004(...interaction('fill-in'), answer('x'.repeat(251)))).toEqual(rejected);
  });

  it('rejects correct responses of SCORM 2004 with a comma in a text', () => {
    const pattern = set('cmi.interactions.0.correct_responses.0.pattern', 'yes, always');
    expect(run2004(...interaction('long-fill-in'), pattern)).toEqual(rejected);
  });

  it('rejects correct responses of SCORM 2004 with equal parts, and a case delimiter in a long text', () => {
    for (const [type, text] of [
      ['fill-in', 'a[,]a'],
      ['sequencing', 'a[,]b[,]a'],
      ['matching', 'a[.]b[,]a[.]b'],
      ['long-fill-in', '{case_matters=true}a'],
    ] as const) {
      const pattern = set('cmi.interactions.0.correct_responses.0.pattern', text);
      expect(run2004(...interaction(type), pattern)).toEqual(rejected);
    }
  });

  it('rejects timestamps of SCORM 2004 with a time zone and no fraction of the second', () => {
    for (const time of ['2026-11-22T10:00:00Z', '2026-11-22T10:00:00+01:00']) {
      const timestamp = set('cmi.interactions.0.timestamp', time);
      expect(run2004(...interaction('choice'), timestamp)).toEqual(rejected);
    }
  });

  it('rejects durations with more than two decimal places', () => {
    expect(run2004(set('cmi.session_time', 'PT1.125S'))).toEqual(rejected);
    expect(run12(set('cmi.core.session_time', '00:00:01.125'))).toEqual(['false', '405']);
  });

  it('keeps the error of an earlier call after a successful GetValue', () => {
    const failure = set('cmi.score.scaled', 'high');
    for (const [element, value] of [
      ['cmi.completion_status', 'unknown'],
      ['cmi.success_status', 'unknown'],
      ['adl.nav.request_valid.choice.{target=absent}', 'false'],
    ] as const) {
      expect(run2004(failure, ['GetValue', element])).toEqual([value, '406']);
    }
  });

  it('returns unknown for a navigation target with a dot in its identifier', () => {
    const target = ['GetValue', 'adl.nav.request_valid.choice.{target=part.1}'];
    expect(run2004(target)).toEqual(['unknown', '0']);
  });

  it('leaves content of SCORM 1.2 that ended without a status at not attempted', () => {
    const status = ['GetValue', 'cmi.core.lesson_status'];
    expect(run12(['Finish', ''], status)).toEqual(['not attempted', '0']);
  });

  it('lets content replace the groups and lists of the data model', () => {
    for (const group of ['cmi', 'cmi.score', 'cmi.objectives', 'adl', 'adl.nav']) {
      expect(run2004(set(group, 'x'))).toEqual(['true', '0']);
    }
    expect(run2004(set('cmi', 'x'), get('cmi.mode'))).toEqual(['', '401']);
    for (const group of ['cmi', 'cmi.core', 'cmi.interactions']) {
      expect(run12(set(group, 'x'))).toEqual(['true', '0']);
    }
    expect(run12(set('cmi', 'x'), get('cmi.core.credit'))).toEqual(['', '401']);
  });

  it('returns objects for groups, lists and its own properties', () => {
    for (const [result, error] of [
      ...[run2004(get('cmi')), run2004(get('cmi.objectives')), run2004(get('cmi.toJSON'))],
      ...[run12(get('cmi.core')), run12(get('cmi.toJSON'))],
    ] as unknown as [unknown, string][]) {
      expect(result).not.toEqual(expect.any(String));
      expect(error).toBe('0');
    }
  });

  it('makes an empty entry of a list for a value that it rejects', () => {
    const objective = set('cmi.objectives.0.status', 'unclear');
    expect(run12(objective)).toEqual(['false', '405']);
    expect(run12(objective, get('cmi.objectives._count'))).toEqual(['1', '0']);
    const comment = set('cmi.comments_from_learner.0.timestamp', 'today');
    expect(run2004(comment)).toEqual(rejected);
    expect(run2004(comment, get('cmi.comments_from_learner._count'))).toEqual(['1', '0']);
  });

  it('makes objectives without an id, and shared data that the manifest does not have', () => {
    expect(run2004(set('cmi.objectives.0.score.scaled', '0.5'))).toEqual(['true', '0']);
    expect(run2004(set('adl.data.0.store', 'x'))).toEqual(['true', '0']);
  });

  it('returns other error codes than the standard for what cannot be read', () => {
    expect(run2004(get('cmi.objectives.0.id'))).toEqual(['', '403']);
    expect(run2004(get('cmi.exit._count'))).toEqual(['', '405']);
    expect(run12(get('cmi.core.exit._count'))).toEqual(['', '404']);
    expect(run12(get(''))).toEqual(['', '0']);
    expect(run2004(get('adl.nav.request'))).toEqual(['', '405']);
  });

  it('rejects empty texts of SCORM 2004', () => {
    for (const [element, type] of [
      ['location', 'choice'],
      ['learner_preference.language', 'choice'],
      ['comments_from_learner.0.location', 'choice'],
      ['interactions.0.learner_response', 'choice'],
      ['interactions.0.learner_response', 'matching'],
      ['interactions.0.correct_responses.0.pattern', 'other'],
    ] as const) {
      const [result, error] = run2004(...interaction(type), set(`cmi.${element}`, '')) ?? [];
      expect([element, result, error]).toEqual([element, ...rejected]);
    }
  });

  it('rejects numbers that the standards allow', () => {
    expect(run2004(set('cmi.learner_preference.delivery_speed', '0'))).toEqual(['false', '407']);
    for (const element of ['weighting', 'result']) {
      const value = set(`cmi.interactions.0.${element}`, '-101');
      expect(run12(...interaction('choice'), value)).toEqual(['false', '405']);
    }
  });

  it('accepts values that the standards exclude', () => {
    expect(run12(set('cmi.objectives.0.id', 'a\nb'))).toEqual(['true', '0']);
    expect(run2004(set('cmi.session_time', 'PT'))).toEqual(['true', '0']);
    expect(run2004(set('adl.nav.request', 'choice'))).toEqual(['true', '0']);
    expect(run2004(set('cmi.learner_preference.audio_captioning', '2'))).toEqual(['false', '407']);
  });

  it('accepts calls after the end of a session of SCORM 1.2', () => {
    const end = ['Finish', ''];
    expect(run12(end, end)).toEqual(['true', '101']);
    expect(run12(end, set('cmi.core.lesson_location', 'x'))).toEqual(['true', '0']);
    expect(run12(end, get('cmi.core.lesson_location'))).toEqual(['', '0']);
    expect(run12(end, ['Commit', ''])).toEqual(['true', '0']);
  });
});
