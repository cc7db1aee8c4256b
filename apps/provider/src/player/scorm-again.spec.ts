import { describe, expect, it } from '@jest/globals';
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
const interaction = (type: string) => [
  set('cmi.interactions.0.id', 'q'),
  set('cmi.interactions.0.type', type),
];
const rejected = ['false', '406'];

/**
 * The faults that `content-api.js` and `withFinalStatus` correct, as docs/scorm-runtime.md lists
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
});
