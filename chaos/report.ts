import { isExpected } from './calls.ts';
import type { Ledger } from './ledger.ts';
import type { ChaosResult } from './run-chaos.ts';

/** A promise, and whether a run has kept it. */
export interface Check {
  readonly promise: string;
  readonly kept: boolean;
  /** What was seen, or lines about what broke it. */
  readonly seen: string;
}

/** Milliseconds: docs/reliability.md. */
const errorsEndWithin = 5_000;
const consumersBackWithin = 10_000;

/** How many lines tell about one promise that was broken. */
const shownLines = 5;

const nothing = (promise: string, found: readonly string[]): Check => ({
  promise,
  kept: found.length === 0,
  seen: [String(found.length), ...found.slice(0, shownLines)].join('\n      '),
});

/** The promises that a run can tell about. */
export function checksOf({ ledger, breakage, findings, upgrade, keyChange }: ChaosResult): Check[] {
  const unexpected = ledger.errors.filter(({ kind }) => !isExpected(kind));
  const checks = [
    nothing('lost', findings.lost),
    nothing('duplicated', findings.duplicated),
    nothing('seats oversold or lost', findings.oversold),
    nothing('events unsent', findings.unsent),
    nothing('results other than the provider’s newest', findings.stale),
    nothing(
      'answers other than 503 and 504',
      unexpected.map(({ operation, kind }) => `${operation}: ${kind}`),
    ),
  ];
  checks.push(nothing('answers more than 250 ms after their deadline', ledger.late));
  const { recoveries } = breakage;
  if (recoveries.length > 0) {
    const errors = p95(recoveries.map((each) => each.errorsEnded));
    const back = recoveries.map((each) => each.consumersBack ?? Infinity);
    checks.push(
      {
        promise: `errors end within ${errorsEndWithin} ms of the broker's return (p95)`,
        kept: errors <= errorsEndWithin,
        seen: `${errors} ms`,
      },
      {
        promise: `consumers are back within ${consumersBackWithin} ms of it`,
        kept: Math.max(...back) <= consumersBackWithin,
        seen: `${Math.max(...back)} ms`,
      },
    );
  }
  if (upgrade) {
    const { processes, failures, migrations, served } = upgrade;
    checks.push(nothing(`requests that failed in an upgrade of ${processes} processes`, failures), {
      promise: 'migrations, and requests that were answered, in the upgrade',
      kept: migrations > 0 && served > 0,
      seen: `${migrations}, ${served}`,
    });
  }
  if (keyChange) {
    const { failures, resealed, served } = keyChange;
    checks.push(nothing('requests that failed in a change of the master key', failures), {
      promise:
        'secrets sealed anew, and requests that were answered, in the change of the master key',
      kept: resealed > 0 && served > 0,
      seen: `${resealed}, ${served}`,
    });
  }
  return checks;
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;

/** A run as tables for a terminal. */
export function report(result: ChaosResult, checks: readonly Check[]): string {
  const { ledger, breakage, minutes, settled } = result;
  return [
    `${minutes} min under faults, settled after ${(settled / 1_000).toFixed(1)} s`,
    table('acknowledged', ledger.acknowledged),
    table('killed', breakage.kills),
    table('other faults', breakage.faults),
    table('errors', errorsOf(ledger)),
    `longest answer\n  ${ledger.longestAnswer} ms`,
    ...breakage.recoveries.map(
      ({ errorsEnded, consumersBack }) =>
        `broker back: errors ended after ${errorsEnded} ms, consumers after ${String(consumersBack)} ms`,
    ),
    ...checks.map(({ promise, kept, seen }) => `${kept ? 'kept  ' : 'BROKEN'} ${promise}: ${seen}`),
  ].join('\n');
}

function errorsOf({ errors }: Ledger): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { operation, kind } of errors) {
    const name = `${operation}: ${kind}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function table(title: string, counts: ReadonlyMap<string, number>): string {
  const sum = [...counts.values()].reduce((total, count) => total + count, 0);
  const rows = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
  const width = Math.max(...rows.map(([name]) => name.length), title.length);
  const line = (name: string, count: number) =>
    `  ${name.padEnd(width)} ${String(count).padStart(8)}`;
  return [title, ...rows.map(([name, count]) => line(name, count)), line('sum', sum)].join('\n');
}
