import type { Rehearsed } from './rehearse.ts';
import type { StepResult } from './step.ts';

/** The longest time in which requests may fail after a node of the broker went away or returned (p95): milliseconds. */
const maxErrorMs = 2_000;

/** The longest time without a successful request when the primary of the database is lost: milliseconds. */
const maxFailoverMs = 15_000;

/** The maximum number of lines that are printed for one violation. */
const maxShownLines = 5;

/** The steps in which no request may fail. */
const seamless = [
  'load',
  'restore to a point in time',
  'upgrade',
  'rollback to the version before',
  'rotation of the secrets',
];

/** What a rehearsal found that must not be. */
export function brokenPromises({ steps, crashes }: Rehearsed): string[] {
  const ofSteps = steps.flatMap((step) => {
    const { name, failed, violations, errorsLastedMs, longestGapMs, acknowledged } = step;
    const broken = [
      ...violations.slice(0, maxShownLines),
      ...(seamless.includes(name) ? failed.slice(0, maxShownLines) : []),
    ];
    const errors = p95(errorsLastedMs);
    if (errors > maxErrorMs) broken.push(`requests failed for ${errors} ms after a change (p95)`);
    if (name === 'database failed over' && longestGapMs > maxFailoverMs) {
      broken.push(`no request succeeded for ${longestGapMs} ms`);
    }
    if (acknowledged === 0) broken.push('no request succeeded');
    return broken.map((line) => `${name}: ${line}`);
  });
  return [...ofSteps, ...crashes];
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;

/** Formats the result of a rehearsal for a terminal. */
export function report({ installSeconds, steps }: Rehearsed): string {
  const rows = steps.map((step) => [
    step.name,
    step.seconds.toFixed(0),
    String(step.acknowledged),
    String(step.failed.length),
    `${(step.longestGapMs / 1_000).toFixed(1)} s`,
    errorsOf(step),
    String(step.violations.length),
  ]);
  const head = [
    'step',
    'seconds',
    'succeeded',
    'failed',
    'longest gap',
    'failed for',
    'lost or repeated',
  ];
  const table = [head, ['install', installSeconds.toFixed(0), '', '', '', '', ''], ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const errorsOf = ({ errorsLastedMs }: StepResult): string =>
  errorsLastedMs.length === 0 ? '' : `${(p95(errorsLastedMs) / 1_000).toFixed(1)} s (p95)`;
