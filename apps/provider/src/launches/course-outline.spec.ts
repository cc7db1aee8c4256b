import { describe, expect, it } from '@jest/globals';
import type { Activity, CourseStructure } from '../packages/course-structure.ts';
import { outlineOf, startingActivity, type VisitedActivity } from './course-outline.ts';

const item = (id: string, parts: Partial<Activity> = {}): Activity => ({
  id,
  title: `Title of ${id}`,
  visible: true,
  resource: { id: `files-${id}`, href: `${id}.html`, type: 'SCO' },
  launchData: '',
  masteryScore: null,
  scaledPassingScore: null,
  completionThreshold: null,
  maxTimeAllowed: '',
  timeLimitAction: '',
  children: [],
  ...parts,
});

const course = (...children: Activity[]): CourseStructure => ({
  standard: 'SCORM20044THEDITION',
  root: item('course', { resource: null, children }),
  metadata: { title: '', description: '', duration: '', typicalTime: '', keywords: [] },
});

const visited = (activity_id: string, parts: Partial<VisitedActivity> = {}): VisitedActivity => ({
  activity_id,
  completion: 'INCOMPLETE',
  suspended: false,
  opened_at: new Date('2024-01-01T08:00:00Z'),
  ...parts,
});

describe('the table of contents', () => {
  it('has the items as the package nests them, and tells which of them open something', () => {
    const chapter = item('chapter', { resource: null, children: [item('a'), item('b')] });
    const leaf = (id: string) => ({ id, title: `Title of ${id}`, launchable: true, children: [] });
    expect(outlineOf(course(chapter, item('c')))).toEqual([
      { ...leaf('chapter'), launchable: false, children: [leaf('a'), leaf('b')] },
      leaf('c'),
    ]);
  });

  it('leaves out hidden items, not what is below them', () => {
    const chapter = item('chapter', { visible: false, children: [item('a')] });
    const hidden = item('hidden', { visible: false });
    expect(outlineOf(course(chapter, hidden)).map(({ id }) => id)).toEqual(['a']);
  });
});

describe('a course that is opened', () => {
  const parts = course(item('a'), item('b'), item('c'));

  it('begins at its first part', () => {
    expect(startingActivity(parts, [])).toBe('a');
  });

  it('goes on where the learner left it last', () => {
    const left = { suspended: true, completion: 'COMPLETED' } as const;
    const later = new Date('2024-01-02T08:00:00Z');
    const states = [visited('a', left), visited('c', { ...left, opened_at: later }), visited('b')];
    expect(startingActivity(parts, states)).toBe('c');
  });

  it('goes on with the first part that is not completed', () => {
    const states = [visited('a', { completion: 'COMPLETED' })];
    expect(startingActivity(parts, states)).toBe('b');
    const gone = visited('gone', { suspended: true });
    expect(startingActivity(parts, [gone])).toBe('a');
  });

  it('begins again when all of it is completed', () => {
    const states = ['a', 'b', 'c'].map((id) => visited(id, { completion: 'COMPLETED' }));
    expect(startingActivity(parts, states)).toBe('a');
  });

  it('has nowhere to begin when it launches nothing', () => {
    expect(startingActivity(course(), [])).toBeNull();
  });
});
