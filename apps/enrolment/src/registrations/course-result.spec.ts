import { describe, expect, it } from 'vitest';
import { type ProviderRegistration } from '@registrar/contracts';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { courseResult, fullResult } from './course-result.ts';

const result = (parts: Partial<ProviderRegistration> = {}): ProviderRegistration => ({
  registrationGuid: 'reg-1',
  courseGuid: 'course-1',
  courseTitle: 'Swimming',
  courseVersion: 0,
  instance: 0,
  learner: { id: 'ada@example.org', email: 'ada@example.org', firstName: 'Ada', lastName: 'L' },
  completion: 'complete',
  success: 'succeeded',
  score: 87.5,
  totalSeconds: 95,
  attempts: 1,
  createdAt: null,
  updatedAt: null,
  completedAt: null,
  accessedAt: null,
  activity: null,
  ...parts,
});

interface Read {
  name: string;
  attributes: Record<string, string>;
  children: Read[];
  text: string;
}

/** Reads a document with a parser that rejects XML that is not well-formed. */
function read(xml: string): Read {
  const root: Read = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  const [document] = root.children;
  if (!document) throw new Error('no document element');
  return document;
}

function at(element: Read, ...path: string[]): Read {
  return path.reduce((parent, name) => {
    const child = parent.children.find((candidate) => candidate.name === name);
    if (!child) throw new Error(`no element ${name} in ${parent.name}`);
    return child;
  }, element);
}

describe('course_result', () => {
  it('course_result is a registrationreport of the format course', () => {
    expect(courseResult(result())).toBe(
      '<?xml version="1.0" encoding="utf-8" ?>\n' +
        '<rsp stat="ok"><registrationreport format="course" regid="reg-1" instanceid="0">' +
        '<complete>complete</complete><success>passed</success>' +
        '<totaltime>95</totaltime><score>87.5</score></registrationreport></rsp>',
    );
  });

  it('contains unknown where the provider has no value', () => {
    const xml = courseResult(result({ completion: 'unknown', success: 'unknown', score: null }));
    expect(xml).toContain(
      '<complete>unknown</complete><success>unknown</success><totaltime>95</totaltime><score>unknown</score>',
    );
  });

  it.each([
    ['succeeded', 'passed'],
    ['failed', 'failed'],
    ['unknown', 'unknown'],
  ] as const)('writes the success %s as %s', (success, written) => {
    expect(at(read(courseResult(result({ success }))), 'registrationreport', 'success').text).toBe(
      written,
    );
  });
});

describe('full_result', () => {
  const activity = {
    id: 'root',
    title: 'Swimming & diving',
    attempts: 2,
    activityCompletion: 'COMPLETED',
    activitySuccess: 'PASSED',
    score: { scaled: 80 },
    timeTracked: '0000:01:35.00',
    suspended: false,
    objectives: [{ id: 'PRIMARYOBJ', objectiveSuccess: 'PASSED', score: { scaled: 80 } }],
    staticProperties: { launchData: 'level=2' },
    children: [
      {
        id: 'lesson',
        title: 'Lesson',
        activityCompletion: 'INCOMPLETE',
        activitySuccess: 'UNKNOWN',
        runtime: {
          completionStatus: 'INCOMPLETE',
          scoreRaw: '8',
          suspendData: 'page=3<&>',
          learnerComments: [{ value: 'good', location: 'p1', dateTime: '2026-01-01T00:00:00Z' }],
          runtimeInteractions: [
            {
              id: 'q1',
              type: 'choice',
              correctResponses: ['a', 'b'],
              learnerResponse: 'a',
              result: 'correct',
            },
          ],
          runtimeObjectives: [{ id: 'o1', runtimeObjectiveSuccessStatus: 'PASSED' }],
          staticProperties: { timeLimitAction: 'EXIT_MESSAGE' },
        },
      },
    ],
  };

  it('full_result is null without an activity tree', () => {
    expect(fullResult(result())).toBeNull();
  });

  it('contains the activity tree in a report of the format full', () => {
    const report = at(read(fullResult(result({ activity })) ?? ''), 'registrationreport');
    expect(report.attributes).toEqual({ format: 'full', regid: 'reg-1', instanceid: '0' });
    expect(at(report, 'score').text).toBe('87.5');
    const root = at(report, 'activity');
    expect(root.attributes).toEqual({ id: 'root' });
    expect(at(root, 'title').text).toBe('Swimming & diving');
    expect(at(root, 'complete').text).toBe('complete');
    expect(at(root, 'success').text).toBe('passed');
    expect(at(root, 'satisfied').text).toBe('true');
    expect(at(root, 'attempts').text).toBe('2');
    expect(at(root, 'objectives', 'objective', 'normalizedmeasure').text).toBe('0.8');
  });

  it('contains the runtime data of every activity', () => {
    const report = at(read(fullResult(result({ activity })) ?? ''), 'registrationreport');
    const lesson = at(report, 'activity', 'children', 'activity');
    expect(at(lesson, 'score').text).toBe('unknown');
    const runtime = at(lesson, 'runtime');
    expect(at(runtime, 'suspend_data').text).toBe('page=3<&>');
    expect(at(runtime, 'score_raw').text).toBe('8');
    expect(at(runtime, 'comments_from_learner', 'comment', 'location').text).toBe('p1');
    expect(at(runtime, 'static', 'time_limit_action').text).toBe('EXIT_MESSAGE');
    const interaction = at(runtime, 'interactions', 'interaction');
    expect(interaction.attributes).toEqual({ id: 'q1' });
    expect(at(interaction, 'learner_response').text).toBe('a');
    expect(
      at(interaction, 'correct_responses').children.map((each) => each.attributes['id']),
    ).toEqual(['a', 'b']);
  });

  it('full_result is well-formed and keeps every allowed character of the provider’s values', () => {
    const anyText = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(anyText, anyText, (id, suspendData) => {
        const report = result({ activity: { id, runtime: { suspendData } } });
        const root = at(read(fullResult(report) ?? ''), 'registrationreport', 'activity');
        expect(root.attributes['id']).toBe(allowed(id));
        expect(at(root, 'runtime', 'suspend_data').text).toBe(allowed(suspendData));
      }),
    );
  });

  it('full_result is well-formed for any JSON in place of an activity tree', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const xml = fullResult(
          result({ activity: JSON.parse(json) as ProviderRegistration['activity'] }),
        );
        if (xml !== null) expect(read(xml).name).toBe('rsp');
      }),
    );
  });
});

/** The characters of XML 1.0 (2.2). */
const allowed = (text: string) =>
  [...text]
    .filter((character) =>
      /[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(character),
    )
    .join('');
