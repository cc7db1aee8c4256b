import { describe, expect, it } from 'vitest';
import { type Activity, bareActivity, type CourseStructure } from '../packages/course-structure.ts';
import { outlineOf, startingActivity, type VisitedActivity } from './course-outline.ts';

const item = (id: string, parts: Partial<Activity> = {}): Activity =>
  bareActivity({
    id,
    title: `Title of ${id}`,
    resource: { id: `files-${id}`, href: `${id}.html`, type: 'SCO' },
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

describe('outlineOf', () => {
  it('nests items like the manifest and marks those that can be launched', () => {
    const chapter = item('chapter', { resource: null, children: [item('a'), item('b')] });
    const leaf = (id: string) => ({ id, title: `Title of ${id}`, launchable: true, children: [] });
    expect(outlineOf(course(chapter, item('c')), false)).toEqual([
      { ...leaf('chapter'), launchable: false, children: [leaf('a'), leaf('b')] },
      leaf('c'),
    ]);
  });

  it('leaves out hidden items but keeps their children', () => {
    const chapter = item('chapter', { visible: false, children: [item('a')] });
    const hidden = item('hidden', { visible: false });
    expect(outlineOf(course(chapter, hidden), false).map(({ id }) => id)).toEqual(['a']);
  });
});

describe('startingActivity', () => {
  const parts = course(item('a'), item('b'), item('c'));

  it('returns the first activity before anything was opened', () => {
    expect(startingActivity(parts, [])).toBe('a');
  });

  it('returns the activity that was suspended last', () => {
    const left = { suspended: true, completion: 'COMPLETED' } as const;
    const later = new Date('2024-01-02T08:00:00Z');
    const states = [visited('a', left), visited('c', { ...left, opened_at: later }), visited('b')];
    expect(startingActivity(parts, states)).toBe('c');
  });

  it('returns the first activity that is not completed, if none is suspended', () => {
    const states = [visited('a', { completion: 'COMPLETED' })];
    expect(startingActivity(parts, states)).toBe('b');
    const gone = visited('gone', { suspended: true });
    expect(startingActivity(parts, [gone])).toBe('a');
  });

  it('returns the first activity again when all are completed', () => {
    const states = ['a', 'b', 'c'].map((id) => visited(id, { completion: 'COMPLETED' }));
    expect(startingActivity(parts, states)).toBe('a');
  });

  it('returns a hidden activity only while others are not completed', () => {
    const hidden = item('hidden', { visible: false });
    const completed = ['a', 'b'].map((id) => visited(id, { completion: 'COMPLETED' }));
    expect(startingActivity(course(item('a'), hidden, item('b')), completed)).toBe('a');
    expect(startingActivity(course(item('a'), hidden, item('b')), completed.slice(0, 1))).toBe(
      'hidden',
    );
    expect(startingActivity(course(hidden), [])).toBe('hidden');
  });

  it('returns null for a course without launchable activities', () => {
    expect(startingActivity(course(), [])).toBeNull();
  });
});
