import { table } from '../table.ts';
import { callerCounts, type WorkloadResult } from './bus.ts';

/** A promise of docs/reliability.md and its measurement. */
export interface PromiseResult {
  readonly promise: string;
  readonly measured: string;
  readonly kept: boolean;
}

const whole = (value: number) => Math.round(value).toLocaleString('en');
const milliseconds = (value: number) => `${value.toFixed(2)} ms`;

/** Formats one workload as a table: the first call path is the baseline. */
export function report({ workload, paths }: WorkloadResult): string {
  const header = [
    workload,
    ...callerCounts.flatMap((count) => [`${count} caller${count > 1 ? 's' : ''}`, 'ratio']),
    'single request',
    'p99',
  ];
  const rows = paths.map(({ path, throughput, latency }) => [
    path,
    ...throughput.flatMap(({ perSecond, ratio }) => [`${whole(perSecond)}/s`, ratio.toFixed(2)]),
    milliseconds(latency.median),
    milliseconds(latency.p99),
  ]);
  return table([header, ...rows]);
}

/** Formats the promises as lines; `kept` is whether all were kept. */
export function reportPromises(measured: readonly PromiseResult[]): {
  text: string;
  kept: boolean;
} {
  const rows = measured.map(({ promise, measured: value, kept }) => [
    promise,
    value,
    kept ? 'kept' : 'MISSED',
  ]);
  const text = table([['promise', 'measured', ''], ...rows]);
  return { text, kept: measured.every(({ kept }) => kept) };
}
