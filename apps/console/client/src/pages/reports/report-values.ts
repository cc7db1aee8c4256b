import type { CallReply } from '../../../../src/calls/calls.ts';

type Column = CallReply<'reports.run'>['columns'][number];

export const isNumeric = ({ kind }: Pick<Column, 'kind'>): boolean =>
  kind === 'integer' || kind === 'float';

/** A value as a text. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? '–'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** The columns of a chart. */
export interface ChartColumns {
  readonly x: string;
  readonly y: readonly string[];
}

/** The most columns of a chart: each has a color of its own. */
export const maxSeries = 5;

/**
 * The columns of a chart: those that were chosen, as far as the result has them; otherwise the first that has no numbers,
 * and the first that has. Null without a column of numbers.
 */
export function chartColumns(
  columns: readonly Column[],
  chosen: { readonly x?: string | undefined; readonly y?: readonly string[] | undefined },
): ChartColumns | null {
  const names = columns.map(({ name }) => name);
  const numbers = columns.filter(isNumeric).map(({ name }) => name);
  const wanted = chosen.y?.filter((name) => numbers.includes(name));
  const first = numbers.find((name) => name !== names[0]) ?? numbers[0];
  if (first === undefined) return null;
  const y = (wanted ?? [first]).slice(0, maxSeries);
  const x = names.find((name) => name === chosen.x);
  return { x: x ?? names.find((name) => !numbers.includes(name)) ?? names[0]!, y };
}
