import { withTemporaryPostgres } from '@registrar/persistence/testing';
import { runWithResources, testBrokerUrl } from '@registrar/testing';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { capacityTable } from './capacity-table.ts';
import { fallenRatios, type Figures, figuresOf } from './figures.ts';
import { type PromiseResult, reportPromises } from './promises/report.ts';
import { RunProfile } from './profile.ts';
import { resultsTable } from './results-table.ts';
import type { CompareResult } from './results.ts';
import type { Comparison, PromiseCheck } from './scenario.ts';
import { comparisons, promiseChecks } from './scenarios.ts';
import { startInstallation } from './system/installation.ts';

/**
 * Measures the system beside its baselines, and prints one table. Exit code 1 means that a ratio fell since the
 * figures of `--compare`, or that a promise of docs/reliability.md was missed.
 */
const usage = `bench [--only NAME]… [--long] [--profile] [--json FILE] [--compare FILE] [--registrations N]
  compared with baselines:
${listed(comparisons)}
  promises of docs/reliability.md, by name or with --long:
${listed(promiseChecks)}`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    long: { type: 'boolean', default: false },
    /** Also prints where the processor time goes; figures are not comparable then. */
    profile: { type: 'boolean', default: false },
    json: { type: 'string' },
    compare: { type: 'string' },
    registrations: { type: 'string' },
  },
});
/** Lines of the system's log that are printed when a scenario fails. */
const shownLines = 10;

const say = (text: string) => process.stdout.write(`${text}\n`);
const isNamed = ({ name }: { name: string }) => values.only?.includes(name);
const registrations = values.registrations === undefined ? null : Number(values.registrations);
const known = [...comparisons, ...promiseChecks].map(({ name }) => name);

const isValid =
  (values.only?.every((name) => known.includes(name)) ?? true) &&
  (registrations === null || (Number.isSafeInteger(registrations) && registrations > 0));

if (!isValid) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const earlier = values.compare
    ? (JSON.parse(await readFile(values.compare, 'utf8')) as Figures)
    : null;
  await runComparisons(
    comparisons.filter((each) => isNamed(each) ?? true),
    earlier,
  );
  await runPromiseChecks(promiseChecks.filter((each) => isNamed(each) ?? values.long));
}
// The package of the embedded PostgreSQL would otherwise exit with code 0 in every case.
process.exit();

async function runComparisons(
  chosen: readonly Comparison[],
  earlier: Figures | null,
): Promise<void> {
  if (chosen.length === 0) return;
  const results: CompareResult[] = [];
  const options = { long: values.long, registrations };
  const profile = values.profile ? await RunProfile.create() : null;
  const start = (resources: AsyncDisposableStack) => startInstallation(resources, profile);
  try {
    await runWithResources(start, async (installation) => {
      await profile?.begin(installation.database);
      for (const { name, measures, run } of chosen) {
        process.stderr.write(`${name}: ${measures}\n`);
        try {
          results.push(...(await run(installation, options)));
        } catch (error) {
          const log = await installation.system.log();
          process.stderr.write(
            `the end of the log:\n${log.split('\n').slice(-shownLines).join('\n')}\n`,
          );
          throw error;
        }
      }
      if (profile) say(await profile.statements(installation.database));
    });
    if (profile) say(await profile.functions());
  } finally {
    // A scenario that fails takes nothing from those before it.
    await report(results);
  }
  const fallen = earlier ? fallenRatios(earlier, figuresOf(results)) : [];
  for (const line of fallen) say(line);
  if (fallen.length > 0) process.exitCode = 1;
}

async function report(results: readonly CompareResult[]): Promise<void> {
  say(resultsTable(results));
  const capacity = capacityTable(results);
  if (capacity) say(capacity);
  if (values.json) await writeFile(values.json, `${JSON.stringify(figuresOf(results), null, 2)}\n`);
}

async function runPromiseChecks(chosen: readonly PromiseCheck[]): Promise<void> {
  const measured: PromiseResult[] = [];
  for (const { name, measures, run } of chosen) {
    say(`${name}: ${measures}`);
    await withTemporaryPostgres(async (databaseUrl) => {
      measured.push(
        ...(await run({ databaseUrl, brokerUrl: testBrokerUrl }, say, { registrations })),
      );
    });
  }
  if (measured.length === 0) return;
  const { text, kept } = reportPromises(measured);
  say(text);
  if (!kept) process.exitCode = 1;
}

function listed(scenarios: readonly { name: string; measures: string }[]): string {
  return scenarios.map(({ name, measures }) => `    ${name}: ${measures}\n`).join('');
}
