import { expect, it } from 'vitest';
import { chartColumns } from './report-values.ts';

const columns = [
  { name: 'learners', kind: 'integer' },
  { name: 'day', kind: 'text' },
  { name: 'share', kind: 'float' },
] as const;

it('a chart has the first column without numbers and the first with numbers unless others are chosen', () => {
  expect(chartColumns(columns, {})).toEqual({ x: 'day', y: ['share'] });
  expect(chartColumns(columns, { x: 'learners', y: ['share', 'learners'] })).toEqual({
    x: 'learners',
    y: ['share', 'learners'],
  });
});

it('a chart leaves out chosen columns that the result does not have, or that have no numbers', () => {
  expect(chartColumns(columns, { x: 'gone', y: ['gone', 'day'] })).toEqual({ x: 'day', y: [] });
});

it('a result without numbers has no chart', () => {
  expect(chartColumns([{ name: 'day', kind: 'text' }], {})).toBeNull();
});
