import { describe, expect, it } from 'vitest';
import type { Objective } from '../packages/course-structure.ts';
import { initialObjectives } from './initial-objectives.ts';

const objective = (id: string, reads: Objective['maps'][number]['reads'] = []): Objective => ({
  id,
  isPrimary: false,
  minimumMeasure: null,
  maps: [{ target: 'shared', reads, writes: [] }],
});
const globals = { shared: { success_status: 'passed', 'score.scaled': '0.6', 'score.raw': '6' } };

describe('initialObjectives', () => {
  it('returns the objectives of the manifest with the values that their maps read', () => {
    const reads = ['success_status', 'score.scaled', 'score.raw'] as const;
    expect(initialObjectives(undefined, [objective('a'), objective('b', reads)], globals)).toEqual({
      '0': { id: 'a', score: {} },
      '1': { id: 'b', success_status: 'passed', score: { scaled: '0.6', raw: '6' } },
    });
  });

  it('keeps stored objectives at their indices and adds those that are missing', () => {
    const stored = { '0': { id: 'own' }, '1': { id: 'a', success_status: 'failed' } };
    expect(initialObjectives(stored, [objective('a'), objective('b')], globals)).toEqual({
      ...stored,
      '2': { id: 'b', score: {} },
    });
  });

  it('gives stored objectives the values that their maps read, which other activities may have changed', () => {
    const stored = { '0': { id: 'a', success_status: 'failed', score: { raw: '3', max: '9' } } };
    const reads = ['success_status', 'score.raw'] as const;
    expect(initialObjectives(stored, [objective('a', reads)], globals)).toEqual({
      '0': { id: 'a', success_status: 'passed', score: { raw: '6', max: '9' } },
    });
  });

  it('returns stored objectives unchanged for a package that was imported without objectives', () => {
    expect(initialObjectives({ '0': { id: 'own' } }, [], {})).toEqual({ '0': { id: 'own' } });
    expect(initialObjectives('malformed', [], {})).toEqual({});
  });
});
