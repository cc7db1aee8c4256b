import { callerCounts, type WorkResult } from './bus.ts';

/** A promise of docs/reliability.md beside what was measured of it. */
export interface Measured {
  readonly promise: string;
  readonly seen: string;
  readonly kept: boolean;
}

const whole = (value: number) => Math.round(value).toLocaleString('en');
const milliseconds = (value: number) => `${value.toFixed(2)} ms`;

/** One kind of work as a table: each way beside the first, which is the baseline. */
export function report({ work, ways }: WorkResult): string {
  const header = [
    work,
    ...callerCounts.flatMap((count) => [`${count} caller${count > 1 ? 's' : ''}`, 'ratio']),
    'lone request',
    'p99',
  ];
  const rows = ways.map(({ way, throughput, latency }) => [
    way,
    ...throughput.flatMap(({ perSecond, ratio }) => [`${whole(perSecond)}/s`, ratio.toFixed(2)]),
    milliseconds(latency.median),
    milliseconds(latency.p99),
  ]);
  return table([header, ...rows]);
}

/** The promises as lines, and whether all were kept. */
export function reportPromises(measured: readonly Measured[]): { text: string; kept: boolean } {
  const rows = measured.map(({ promise, seen, kept }) => [promise, seen, kept ? 'kept' : 'MISSED']);
  const text = table([['promise', 'seen', ''], ...rows]);
  return { text, kept: measured.every(({ kept }) => kept) };
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return `${rows.map(line).join('\n')}\n`;
}
