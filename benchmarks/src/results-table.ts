import { table } from './table.ts';
import {
  type CompareResult,
  type FigureName,
  medianCpuOf,
  medianOf,
  relationOf,
  type TargetResult,
} from './results.ts';
import { processGroups } from './system/process-usage.ts';

const header = [
  'scenario',
  'system',
  'seconds',
  'a second',
  'ratio',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  ...processGroups,
  'memory MB',
  'transfer MB',
  'calls',
  'WAL MB',
  'targets',
];

/** The words for figures in targets. */
const names: Readonly<Record<FigureName, string>> = {
  rate: 'rate',
  p50Ms: 'p50',
  p99Ms: 'p99',
  firstByteMs: 'first byte in ms',
  seconds: 'seconds',
  transferMb: 'transfer',
  calls: 'calls',
  walMb: 'WAL',
  growthMb: 'growth in MB',
  memoryMb: 'memory in MB',
  cpu: 'CPU',
};

/**
 * Formats the results of a run as one table: a line for the system and one for each baseline. A baseline's ratio
 * is the system's rate divided by the baseline's. Processor time is that of one unit of work, in total and by
 * group of processes. The targets in the line of a baseline are relations to this baseline.
 */
export function resultsTable(results: readonly CompareResult[]): string {
  const rows = results.flatMap((result) =>
    result.systems.map((system, at) => [
      at === 0 ? `${result.scenario} (${result.unit})` : '',
      system.system,
      number(medianOf(system, 'seconds')),
      number(medianOf(system, 'rate')),
      at === 0 ? '' : number(relationOf(result.systems[0]!, system, { figure: 'rate' })),
      number(medianOf(system, 'p50Ms')),
      number(medianOf(system, 'p99Ms')),
      number(medianOf(system, 'cpu') || NaN),
      ...processGroups.map((group) => number(medianCpuOf(system, group))),
      number(medianOf(system, 'memoryMb')),
      number(medianOf(system, 'transferMb')),
      number(medianOf(system, 'calls')),
      number(medianOf(system, 'walMb')),
      targetsOf(result, at === 0 ? undefined : system.system)
        .map(targetText)
        .join('; '),
    ]),
  );
  return table([header, ...rows]);
}

const targetsOf = ({ targets }: CompareResult, baseline: string | undefined) =>
  targets.filter((target) => target.baseline === baseline);

function targetText({ figure, measured, isDifference, min, max, isMet }: TargetResult): string {
  const required = min === undefined ? `≤ ${String(max)}` : `≥ ${min}`;
  const what = `${names[figure]}${isDifference ? ' difference' : ''}`;
  return `${what} ${number(measured)} ${required}${isMet ? '' : ' MISSED'}`;
}

/** Three significant digits; nothing for NaN. */
function number(value: number): string {
  if (Number.isNaN(value)) return '';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(Math.min(digits, 3));
}
