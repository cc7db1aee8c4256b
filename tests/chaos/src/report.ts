import { isExpectedUnderFaults } from './balanced-client.ts';
import type { Ledger } from './ledger.ts';
import type { ChaosResult } from './run-chaos.ts';

/** A promise of docs/reliability.md, and whether a run has kept it. */
export interface Check {
  readonly promise: string;
  readonly kept: boolean;
  /** The measured value, or the violations. */
  readonly seen: string;
}

/** Limits of docs/reliability.md in milliseconds. */
const maxErrorMs = 5_000;
const maxConsumerRecoveryMs = 10_000;
const maxNodeErrorMs = 2_000;

/** The maximum number of violations that are printed for one promise. */
const maxShownLines = 5;

const noneFound = (promise: string, found: readonly string[]): Check => ({
  promise,
  kept: found.length === 0,
  seen: [String(found.length), ...found.slice(0, maxShownLines)].join('\n      '),
});

/**
 * Returns the promises that a run can check.
 *
 * @param isTimed whether the machine is idle enough to check the promises about durations too
 */
export function checksOf(result: ChaosResult, isTimed: boolean): Check[] {
  const { ledger, findings, crashes, upgrade, keyChange, rotations } = result;
  const unexpected = ledger.errors.filter(({ kind }) => !isExpectedUnderFaults(kind));
  const checks = [
    noneFound('lost operations', findings.lost),
    noneFound('duplicated registrations', findings.duplicated),
    noneFound('oversold or lost seats', findings.oversold),
    noneFound('unsent events', findings.unsent),
    noneFound('processes that ended by themselves', crashes),
    noneFound('results that differ from the provider’s newest', findings.stale),
    noneFound(
      'errors other than 503, 504 and broken connections',
      unexpected.map(({ operation, kind }) => `${operation}: ${kind}`),
    ),
  ];
  if (isTimed) checks.push(...timedChecksOf(result));
  if (upgrade) {
    const { processes, failures, migrations, served } = upgrade;
    checks.push(
      noneFound(`failed requests during the upgrade of ${processes} processes`, failures),
      {
        promise: 'at least one migration and one acknowledged operation in the upgrade',
        kept: migrations > 0 && served > 0,
        seen: `${migrations}, ${served}`,
      },
    );
  }
  if (keyChange) {
    const { failures, resealed, served } = keyChange;
    checks.push(noneFound('failed requests during the change of the master key', failures), {
      promise:
        'at least one re-encrypted secret and one acknowledged operation in the change of the master key',
      kept: resealed > 0 && served > 0,
      seen: `${resealed}, ${served}`,
    });
  }
  for (const { secret, failures, served } of rotations) {
    checks.push(noneFound(`failed requests during the rotation of ${secret}`, failures), {
      promise: `at least one acknowledged operation in the rotation of ${secret}`,
      kept: served > 0,
      seen: String(served),
    });
  }
  return checks;
}

/** The promises about durations, which other load on the machine breaks. */
function timedChecksOf({ ledger, injected }: ChaosResult): Check[] {
  const checks = [noneFound('responses more than 250 ms after their deadline', ledger.late)];
  const { recoveries, nodeChanges } = injected;
  if (nodeChanges.length > 0) {
    const errors = p95(nodeChanges.map((each) => each.errorsLastedMs));
    checks.push({
      promise: `errors last for at most ${maxNodeErrorMs} ms after a node of the broker went away or returned (p95)`,
      kept: errors <= maxNodeErrorMs,
      seen: `${errors} ms, of ${nodeChanges.length}`,
    });
  }
  if (recoveries.length > 0) {
    const errors = p95(recoveries.map((each) => each.errorsEndedMs));
    const back = recoveries.map((each) => each.consumersBackMs ?? Infinity);
    checks.push(
      {
        promise: `errors end within ${maxErrorMs} ms after a restart of the broker (p95)`,
        kept: errors <= maxErrorMs,
        seen: `${errors} ms`,
      },
      {
        promise: `consumers return within ${maxConsumerRecoveryMs} ms after a restart of the broker`,
        kept: Math.max(...back) <= maxConsumerRecoveryMs,
        seen: `${Math.max(...back)} ms`,
      },
    );
  }
  return checks;
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;

/** Formats the result of a run for a terminal. */
export function report(result: ChaosResult, checks: readonly Check[]): string {
  const { ledger, injected, minutes, settledMs } = result;
  return [
    `${minutes} min with faults, consistent after ${(settledMs / 1_000).toFixed(1)} s`,
    table('acknowledged operations', ledger.acknowledged),
    table('killed processes', injected.kills),
    table('other faults', injected.faults),
    table('errors', errorsOf(ledger)),
    `longest response\n  ${ledger.longestResponseMs} ms`,
    ...injected.recoveries.map(
      ({ errorsEndedMs, consumersBackMs }) =>
        `broker restart: errors ended after ${errorsEndedMs} ms, consumers returned after ${String(consumersBackMs)} ms`,
    ),
    ...injected.nodeChanges.map(
      ({ what, errorsLastedMs }) => `broker node ${what}: errors lasted ${errorsLastedMs} ms`,
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
