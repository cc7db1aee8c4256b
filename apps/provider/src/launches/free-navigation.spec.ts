import { describe, expect, it } from 'vitest';
import type { CourseStructure } from '../packages/course-structure.ts';
import { activity } from '../sequencing/sequencing.fixture.ts';
import { freeCourse, freelyAvailable, navigateFreely } from './free-navigation.ts';

const structure: CourseStructure = {
  standard: 'SCORM12',
  root: activity(
    'course',
    {},
    {
      children: [
        activity('a'),
        activity('group', {}, { children: [activity('b', {}, { prerequisites: 'a' })] }),
        activity('c', {}, { prerequisites: 'a & group' }),
      ],
    },
  ),
  metadata: { title: '', description: '', duration: '', typicalTime: '', keywords: [] },
};
const after = (completed: readonly string[], current: string | null = null) =>
  freeCourse({
    structure,
    visited: completed.map((activity_id) => ({
      activity_id,
      completion: 'COMPLETED' as const,
      success: 'UNKNOWN' as const,
      score: null,
      progress: null,
      suspended: false,
      opened_at: new Date(),
    })),
    current,
  });

describe('navigateFreely', () => {
  it('opens the first part that is not completed, and goes on and back by request', () => {
    const open = (
      completed: string[],
      current: string | null,
      command: 'start' | 'continue' | 'previous',
    ) => navigateFreely(after(completed, current), { command });
    expect(open([], null, 'start')).toMatchObject({ activityId: 'a' });
    expect(open(['a'], null, 'start')).toMatchObject({ activityId: 'b' });
    expect(open(['a'], 'a', 'continue')).toMatchObject({ activityId: 'b' });
    expect(open(['a'], 'b', 'previous')).toMatchObject({ activityId: 'a' });
    expect(open(['a'], 'a', 'previous')).toEqual({ kind: 'nothing', refusal: 'nothingThere' });
  });

  it('opens a part once its prerequisites are fulfilled', () => {
    const choose = (completed: string[], target: string) =>
      navigateFreely(after(completed), { command: 'choice', target });
    expect(choose([], 'b')).toEqual({ kind: 'nothing', refusal: 'prerequisites' });
    expect(choose(['a'], 'b')).toMatchObject({ kind: 'delivered', activityId: 'b' });
    expect(freelyAvailable(after(['a'], 'b'))).toEqual({
      continue: 'prerequisites',
      previous: null,
      choices: { a: null, b: null, c: 'prerequisites' },
    });
    expect(freelyAvailable(after(['a', 'b'], 'b')).continue).toBeNull();
  });

  it('refuses groups and unknown parts, and ends with exitAll, abandonAll and suspendAll', () => {
    for (const target of ['group', 'course', 'unknown']) {
      expect(navigateFreely(after([]), { command: 'choice', target })).toEqual({
        kind: 'nothing',
        refusal: 'unavailable',
      });
    }
    for (const command of ['exitAll', 'abandonAll', 'suspendAll'] as const) {
      expect(navigateFreely(after([]), { command })).toEqual({ kind: 'ended' });
    }
    expect(navigateFreely(after([]), { command: 'exit' })).toEqual({
      kind: 'nothing',
      refusal: null,
    });
  });
});
