import { describe, expect, it } from 'vitest';
import type { Selection } from '../packages/sequencing-definition.ts';
import { activity, cluster, flowing, Learner } from './sequencing.fixture.ts';

const course = (selection: Partial<Selection>) =>
  new Learner(
    cluster(
      'course',
      {
        ...flowing,
        selection: {
          selectionTiming: 'never',
          randomizationTiming: 'never',
          reorderChildren: false,
          ...selection,
        },
      },
      ...['a', 'b', 'c', 'd'].map((id) => activity(id)),
    ),
  );
const childrenOf = (learner: Learner) => learner.state.activities['course']?.children;

describe('chooseChildren', () => {
  it('selects children at random, in the order of the manifest (SR.1)', () => {
    const learner = course({ selectionTiming: 'once', selectCount: 2 });
    learner.navigate('start');
    expect(childrenOf(learner)).toEqual(['b', 'c']);
    const { choices } = learner.available();
    expect([choices['a'], choices['b'], choices['d']]).toEqual([
      'unavailable',
      null,
      'unavailable',
    ]);
    expect(Object.keys(choices)).toEqual(['course', 'b', 'c', 'a', 'd']);
  });

  it('selects all children if fewer exist than are to be selected', () => {
    const learner = course({ selectionTiming: 'once', selectCount: 9 });
    learner.navigate('start');
    expect(childrenOf(learner)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('orders children at random once, and keeps that order in later attempts (SR.2)', () => {
    const learner = course({ randomizationTiming: 'once', reorderChildren: true });
    expect(learner.navigate('start')).toBe('b');
    const order = childrenOf(learner);
    expect(order).toEqual(['b', 'c', 'd', 'a']);
    learner.navigate('exitAll');
    learner.navigate('start');
    expect(childrenOf(learner)).toEqual(order);
  });

  it('orders children again for each new attempt, but not after a suspension (SR.2)', () => {
    const learner = course({ randomizationTiming: 'onEachNewAttempt', reorderChildren: true });
    learner.navigate('start');
    const first = childrenOf(learner);
    learner.navigate('suspendAll');
    learner.navigate('resumeAll');
    expect(childrenOf(learner)).toEqual(first);
    learner.navigate('exitAll');
    learner.navigate('start');
    expect(childrenOf(learner)).not.toEqual(first);
  });

  it('the order of children stays without reorderChildren', () => {
    const learner = course({ randomizationTiming: 'once' });
    expect(learner.navigate('start')).toBe('a');
  });
});
