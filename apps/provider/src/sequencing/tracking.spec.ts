import { describe, expect, it } from 'vitest';
import type { Objective } from '../packages/course-structure.ts';
import {
  activity,
  cluster,
  flowing,
  Learner,
  rule,
  sharedObjective,
} from './sequencing.fixture.ts';

const course = (first: readonly Objective[], second: readonly Objective[], rules = {}) =>
  new Learner(
    cluster(
      'course',
      flowing,
      activity('a', {}, { objectives: first }),
      activity('b', rules, { objectives: second }),
      activity('c'),
    ),
  );
const skipIfSatisfied = { preConditionRules: [rule('skip', 'satisfied')] };

describe('global objectives of the sequencing', () => {
  it('an objective reads what another activity has written (SN 3.10.3)', () => {
    const learner = course(
      [sharedObjective('own', 'shared')],
      [sharedObjective('other', 'shared')],
      skipIfSatisfied,
    );
    learner.navigate('start');
    learner.report({ success_status: 'passed' });
    expect(learner.navigate('continue')).toBe('c');
  });

  it('a status that only a global objective gives is unknown until one writes it', () => {
    const reader = {
      ...sharedObjective('own', 'unwritten'),
      maps: [{ target: 'unwritten', reads: ['success_status'] as const, writes: [] }],
    };
    const learner = course([reader], [], {});
    learner.navigate('start');
    learner.report({ success_status: 'passed' });
    learner.navigate('continue');
    expect(learner.state.activities['a']?.objectives).toEqual({
      own: { success_status: 'passed', completion_status: 'completed' },
    });
    expect(learner.state.globals).toEqual({});
  });

  it('a minimum measure decides over the status that is written (SN 3.10.1)', () => {
    const learner = course([{ ...sharedObjective('own', 'shared'), minimumMeasure: 0.8 }], []);
    learner.navigate('start');
    learner.report({ success_status: 'passed', score: { scaled: '0.5' } });
    expect(learner.state.globals['shared']).toEqual({
      success_status: 'failed',
      'score.scaled': '0.5',
    });
  });

  it('secondary objectives have the values of their entries in cmi.objectives', () => {
    const learner = course([sharedObjective('second', 'shared', false)], []);
    learner.navigate('start');
    learner.report({
      success_status: 'failed',
      objectives: { '0': { id: 'second', success_status: 'passed' } },
    });
    expect(learner.state.globals['shared']).toEqual({ success_status: 'passed' });
  });

  it('content that sets a status to unknown makes the global objective unknown', () => {
    const learner = course([sharedObjective('own', 'shared')], []);
    learner.navigate('start');
    learner.report({ success_status: 'passed' });
    learner.report({ success_status: 'unknown' });
    expect(learner.state.globals['shared']).toEqual({});
  });

  it('content that is abandoned takes back what it has written', () => {
    const learner = course([sharedObjective('own', 'shared')], []);
    learner.navigate('start');
    learner.report({ success_status: 'passed' });
    learner.navigate('abandon');
    expect(learner.state.globals['shared']).toEqual({});
  });

  it('an activity that is not tracked changes nothing (SN 3.13.1)', () => {
    const untracked = activity(
      'a',
      { delivery: { tracked: false } },
      { objectives: [sharedObjective('own', 'shared')] },
    );
    const learner = new Learner(cluster('course', flowing, untracked, activity('b')));
    learner.navigate('start');
    learner.report({ success_status: 'passed' });
    learner.navigate('continue');
    expect(learner.state.globals).toEqual({});
    expect(learner.state.activities['a']?.attempts).toBe(0);
  });
});

describe('conditions of rules', () => {
  const afterReport = (condition: Parameters<typeof rule>[1], more: object, report: object) => {
    const part = activity(
      'a',
      { postConditionRules: [rule('exitAll', condition, more)] },
      { objectives: [{ ...sharedObjective('second', 'shared', false), maps: [] }] },
    );
    const learner = new Learner(cluster('course', flowing, part, activity('b')));
    learner.navigate('start');
    learner.report(report as never);
    return learner.navigate('continue') === 'ended';
  };

  it.each([
    ['satisfied', {}, { success_status: 'passed' }, true],
    ['satisfied', { not: true }, { success_status: 'passed' }, false],
    ['satisfied', { not: true }, { success_status: 'unknown' }, false],
    ['objectiveStatusKnown', {}, { success_status: 'failed' }, true],
    ['objectiveStatusKnown', { not: true }, { success_status: 'unknown' }, true],
    ['objectiveMeasureKnown', {}, { score: { scaled: '0' } }, true],
    ['objectiveMeasureGreaterThan', { threshold: 0.5 }, { score: { scaled: '0.5' } }, false],
    ['objectiveMeasureGreaterThan', { threshold: 0.5 }, { score: { scaled: '0.6' } }, true],
    ['objectiveMeasureLessThan', { threshold: 0.5 }, { score: { scaled: '0.4' } }, true],
    ['completed', {}, { completion_status: 'completed' }, true],
    ['completed', {}, { completion_status: 'not attempted' }, false],
    ['activityProgressKnown', {}, { completion_status: 'incomplete' }, true],
    ['attempted', {}, {}, true],
    ['attemptLimitExceeded', {}, {}, false],
    ['timeLimitExceeded', { not: true }, {}, false],
    ['always', {}, {}, true],
    ['never', {}, {}, false],
    [
      'satisfied',
      { objective: 'second' },
      { success_status: 'failed', objectives: { '0': { id: 'second', success_status: 'passed' } } },
      true,
    ],
  ] as const)('the condition %s (%j) after %j is %s (UP.2.1)', (name, more, report, applies) => {
    expect(afterReport(name, more, report)).toBe(applies);
  });

  it('a rule without conditions does not apply', () => {
    const empty = { action: 'exitAll', combination: 'all', conditions: [] } as const;
    const learner = new Learner(
      cluster('course', flowing, activity('a', { postConditionRules: [empty] }), activity('b')),
    );
    learner.navigate('start');
    expect(learner.navigate('continue')).toBe('b');
  });
});
