import { describe, expect, it } from 'vitest';
import type { SequencingDefinition } from '../packages/sequencing-definition.ts';
import { clusterResults } from './sequenced-results.ts';
import {
  activity,
  cluster,
  flowing,
  Learner,
  rollupRule,
  rule,
  sharedObjective,
} from './sequencing.fixture.ts';

/** Plays through activities of a course with these reports, and returns the result of the course. */
function resultOf(
  definition: SequencingDefinition,
  parts: readonly { readonly sequencing?: SequencingDefinition; readonly report: object }[],
) {
  const children = parts.map(({ sequencing }, at) => activity(`part${at}`, sequencing));
  const learner = new Learner(cluster('course', { ...flowing, ...definition }, ...children));
  for (const [at, { report }] of parts.entries()) {
    learner.navigate(at === 0 ? 'start' : 'continue');
    learner.report(report as never);
  }
  learner.navigate('exit');
  return clusterResults(learner.structure, learner.state).get('course');
}
const passed = { completion_status: 'completed', success_status: 'passed' };
const failed = { completion_status: 'completed', success_status: 'failed' };
const incomplete = { completion_status: 'incomplete', success_status: 'unknown' };

describe('rollUp', () => {
  it('completes and satisfies a cluster when all of its activities are, by default (RB.1.2 b, RB.1.3 b)', () => {
    expect(resultOf({}, [{ report: passed }, { report: passed }])).toMatchObject({
      completion: 'COMPLETED',
      success: 'PASSED',
    });
    expect(resultOf({}, [{ report: passed }, { report: failed }])).toMatchObject({
      completion: 'COMPLETED',
      success: 'FAILED',
    });
    expect(resultOf({}, [{ report: passed }, { report: incomplete }])).toMatchObject({
      completion: 'INCOMPLETE',
      success: 'UNKNOWN',
    });
  });

  it('content that reports nothing has completed and satisfied its activity (UP.4)', () => {
    expect(resultOf({}, [{ report: {} }])).toMatchObject({
      completion: 'COMPLETED',
      success: 'PASSED',
    });
    const delivery = { completionSetByContent: true, objectiveSetByContent: true };
    expect(resultOf({}, [{ report: {}, sequencing: { delivery } }])).toMatchObject({
      completion: 'INCOMPLETE',
      success: 'UNKNOWN',
    });
    expect(
      resultOf({}, [{ report: { completion_status: 'unknown', success_status: 'unknown' } }]),
    ).toMatchObject({ completion: 'INCOMPLETE', success: 'UNKNOWN' });
  });

  it('the measure of a cluster is the weighted average of all its activities (RB.1.1 a)', () => {
    const weight = (objectiveMeasureWeight: number) => ({ rollup: { objectiveMeasureWeight } });
    const scored = (scaled: string) => ({ score: { scaled } });
    expect(
      resultOf({}, [
        { report: scored('1'), sequencing: weight(1) },
        { report: scored('0.5'), sequencing: weight(0.5) },
        { report: {}, sequencing: weight(0.5) },
      ]),
    ).toMatchObject({ score: 62.5 });
  });

  it.each([
    ['all', undefined, 'FAILED'],
    ['any', undefined, 'PASSED'],
    ['none', undefined, 'FAILED'],
    ['atLeastCount', 2, 'PASSED'],
    ['atLeastCount', 3, 'FAILED'],
    ['atLeastPercent', 0.6, 'PASSED'],
    ['atLeastPercent', 0.7, 'FAILED'],
  ] as const)(
    'a rollup rule for %s children (%s) is obeyed (RB.1.4)',
    (children, minimum, success) => {
      const of = minimum === undefined ? { children } : { children, minimum };
      const rules = [
        rollupRule('notSatisfied', 'attempted'),
        rollupRule('satisfied', 'satisfied', of),
      ];
      const parts = [passed, passed, failed].map((report) => ({ report }));
      expect(resultOf({ rollupRules: rules }, parts)?.success).toBe(success);
    },
  );

  it.each([
    ['ifAttempted', 'PASSED'],
    ['always', 'UNKNOWN'],
  ] as const)('a child that is required %s counts so (RB.1.4.2)', (satisfied, success) => {
    const sequencing = { rollup: { requiredFor: { satisfied, notSatisfied: satisfied } } };
    const learner = new Learner(
      cluster('course', flowing, activity('a'), activity('b', sequencing)),
    );
    learner.navigate('start');
    learner.report(passed);
    learner.navigate('exit');
    expect(clusterResults(learner.structure, learner.state).get('course')?.success).toBe(success);
  });

  it('a skipped child that is required ifNotSkipped does not count (RB.1.4.2)', () => {
    const skipped = {
      preConditionRules: [rule('skip', 'always')],
      rollup: { requiredFor: { completed: 'ifNotSkipped' } },
    } as const;
    const learner = new Learner(cluster('course', flowing, activity('a'), activity('b', skipped)));
    learner.navigate('start');
    learner.report(passed);
    learner.navigate('exit');
    expect(clusterResults(learner.structure, learner.state).get('course')?.completion).toBe(
      'COMPLETED',
    );
  });

  it('children that do not roll up, and those that are not tracked, have no influence', () => {
    expect(
      resultOf({}, [
        { report: passed },
        { report: failed, sequencing: { rollup: { objectiveSatisfied: false } } },
        { report: failed, sequencing: { delivery: { tracked: false } } },
      ])?.success,
    ).toBe('PASSED');
  });

  it('a measure decides over the satisfaction of a cluster that has a minimum (RB.1.2 a)', () => {
    const children = [activity('a'), activity('b')];
    const learner = new Learner({
      ...cluster('course', flowing, ...children),
      scaledPassingScore: 0.6,
    });
    learner.navigate('start');
    learner.report({ score: { scaled: '0.9' } });
    learner.navigate('continue');
    const success = () => clusterResults(learner.structure, learner.state).get('course')?.success;
    expect(success()).toBe('FAILED');
    learner.report({ score: { scaled: '0.4' } });
    learner.navigate('exit');
    expect(success()).toBe('PASSED');
  });

  it('progress decides over the completion of an activity that has a minimum (RB.1.3 a)', () => {
    const part = activity('a', {}, { completionThreshold: 0.5 });
    const learner = new Learner(cluster('course', flowing, part));
    learner.navigate('start');
    learner.report({ completion_status: 'completed', progress_measure: '0.4' });
    learner.navigate('exit');
    expect(clusterResults(learner.structure, learner.state).get('course')?.completion).toBe(
      'INCOMPLETE',
    );
  });

  it('a global objective reaches the clusters above the activities that read it (RB.1.5)', () => {
    const writer = activity('w', {}, { objectives: [sharedObjective('own', 'shared')] });
    const reader = activity('r', {}, { objectives: [sharedObjective('other', 'shared')] });
    const learner = new Learner(
      cluster('course', flowing, cluster('one', flowing, writer), cluster('two', flowing, reader)),
    );
    learner.navigate('start');
    learner.report({ success_status: 'passed', score: { scaled: '0.8' } });
    learner.navigate('continue');
    const two = clusterResults(learner.structure, learner.state).get('two');
    expect(two).toMatchObject({ success: 'PASSED', score: 80 });
  });

  it('results of an earlier attempt on a cluster do not count for a new one (SN 3.2.6)', () => {
    const learner = new Learner(cluster('course', flowing, activity('a'), activity('b')));
    learner.navigate('start');
    learner.report(passed);
    learner.navigate('continue');
    learner.report(passed);
    learner.navigate('exitAll');
    learner.navigate('start');
    learner.report(passed);
    const course = () => clusterResults(learner.structure, learner.state).get('course');
    expect(course()?.completion).toBe('INCOMPLETE');
    learner.navigate('continue');
    learner.report(passed);
    expect(course()?.completion).toBe('COMPLETED');
  });
});
