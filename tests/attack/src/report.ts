import type { AttackResult } from './attack.ts';
import { median } from './compare-with-calm.ts';

/** The result of an attack, with what was measured while it ran. */
export interface Row {
  readonly name: string;
  readonly tried: string;
  readonly seconds: number;
  /** The most memory of a process, in MiB, and which process. */
  readonly memory: { readonly process: string; readonly mb: number } | null;
  readonly result: AttackResult;
}

/** The maximum number of violations that are printed for one attack. */
const maxShown = 20;

const columns = [
  'attack',
  'tried',
  'seconds',
  'bystander',
  'p95 (calm) ms',
  'ratio',
  'event loop ms',
  'memory MiB',
  '',
] as const;

/** `kept`, or `BROKEN` with the number of violations. */
export const verdict = ({ violations }: AttackResult): string =>
  violations.length === 0 ? 'kept' : `BROKEN (${violations.length})`;

/** The median of the ratios of the bystander's p95, if there was one. */
export const ratioOf = ({ bystander }: AttackResult): string =>
  bystander ? median(bystander.ratios).toFixed(2) : '';

/** Formats the results of a run for a terminal: a table, then details and violations. */
export function report(rows: readonly Row[]): string {
  const cells = rows.map(({ name, tried, seconds, memory, result }) => {
    const { bystander, eventLoopDelayMs } = result;
    return [
      name,
      tried,
      seconds.toFixed(1),
      bystander ? `${((100 * bystander.successes) / bystander.requests).toFixed(1)} %` : '',
      bystander ? `${bystander.p95Ms.toFixed(0)} (${bystander.calmP95Ms.toFixed(0)})` : '',
      ratioOf(result),
      eventLoopDelayMs === undefined ? '' : eventLoopDelayMs.toFixed(0),
      memory ? `${memory.mb.toFixed(0)} ${memory.process}` : '',
      verdict(result),
    ];
  });
  const widths = columns.map((title, at) =>
    Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    ...[columns, ...cells].map(line),
    ...rows.flatMap(({ name, result }) => (result.detail ? ['', `${name}:`, result.detail] : [])),
    ...rows.flatMap(({ name, result }) => violationLines(name, result.violations)),
  ].join('\n');
}

function violationLines(name: string, violations: readonly string[]): string[] {
  if (violations.length === 0) return [];
  const shown = violations.slice(0, maxShown).map((each) => `  ${each}`);
  const rest = violations.length - shown.length;
  return ['', `BROKEN ${name}`, ...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])];
}
