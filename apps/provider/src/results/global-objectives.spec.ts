import { describe, expect, it } from 'vitest';
import type { Objective } from '../packages/course-structure.ts';
import { mappedValues, writeGlobalObjectives } from './global-objectives.ts';
import { readScorm2004 } from './scorm-2004-runtime.ts';

const objective = (parts: Partial<Objective>): Objective => ({
  id: 'rules',
  isPrimary: false,
  minimumMeasure: null,
  maps: [
    {
      target: 'shared',
      reads: ['success_status', 'score.scaled'],
      writes: ['success_status', 'score.scaled', 'completion_status'],
    },
  ],
  ...parts,
});
const runtime = readScorm2004({
  success_status: 'passed',
  completion_status: 'completed',
  score: { scaled: '0.9' },
  objectives: {
    '0': { id: 'rules', success_status: 'failed', score: { scaled: '0.4', raw: '4' } },
    '1': { id: 'main', success_status: 'failed', progress_measure: '0.5' },
  },
});

describe('writeGlobalObjectives', () => {
  it('writes the mapped values that the content reported, and keeps the others', () => {
    const before = { shared: { completion_status: 'completed' }, other: { 'score.raw': '1' } };
    expect(writeGlobalObjectives(before, [objective({})], runtime)).toEqual({
      shared: {
        completion_status: 'completed',
        success_status: 'failed',
        'score.scaled': '0.4',
      },
      other: { 'score.raw': '1' },
    });
  });

  it('takes the status of the content for that of its primary objective', () => {
    const primary = objective({ id: 'main', isPrimary: true });
    expect(writeGlobalObjectives({}, [primary], runtime)).toEqual({
      shared: {
        success_status: 'passed',
        'score.scaled': '0.9',
        completion_status: 'completed',
      },
    });
  });

  it('satisfies an objective by its measure, and writes nothing that is unknown', () => {
    const byMeasure = objective({ minimumMeasure: 0.3 });
    expect(writeGlobalObjectives({}, [byMeasure], runtime)).toMatchObject({
      shared: { success_status: 'passed' },
    });
    expect(writeGlobalObjectives({}, [objective({ id: 'absent' })], runtime)).toEqual({});
  });
});

describe('mappedValues', () => {
  it('returns the values that a map reads', () => {
    const globals = { shared: { success_status: 'passed', completion_status: 'completed' } };
    expect(mappedValues(objective({}), globals)).toEqual({ success_status: 'passed' });
    expect(mappedValues(objective({}), {})).toEqual({});
  });
});
