import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runWithResources } from '@registrar/testing';
import type { Attack, AttackOptions, AttackResult } from './attack.ts';
import { attacks } from './attacks.ts';
import { ratioOf, report, type Row, verdict } from './report.ts';
import { startDistributedTarget } from './start-distributed.ts';
import { startStandaloneTarget } from './start-standalone.ts';
import type { Target } from './target.ts';
import { findDefects, MemoryWatch, memoryViolations, outputFiles } from './watch.ts';

const forms = { distributed: startDistributedTarget, standalone: startStandaloneTarget };

/**
 * Attacks a system with the shipped accounts and limits, in one of its forms. Exit code 1 means that anything was not as
 * promised (docs/reliability.md). The last line is `N passed, N failed`.
 */
const usage = `attack [--form ${Object.keys(forms).join('|')}] [--only NAME]… [--requests N] [--long] [--seed N] [--json FILE]
  attacks: ${attacks.map(({ name }) => name).join(', ')}\n`;

/** How many requests the fuzzer sends in a short run, which fits into CI, and in a long one. */
const defaultRequests = { short: 6_000, long: 1_000_000 };

const { values } = parseArgs({
  options: {
    form: { type: 'string', default: 'distributed' },
    only: { type: 'string', multiple: true },
    requests: { type: 'string' },
    long: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
});
const options: AttackOptions = {
  seed: Number(values.seed),
  long: values.long,
  requests: Number(values.requests ?? defaultRequests[values.long ? 'long' : 'short']),
};
const form = values.form in forms ? (values.form as keyof typeof forms) : null;
const chosen = attacks.filter(
  ({ name, needsBroker }) =>
    (values.only?.includes(name) ?? true) && (form === 'distributed' || !needsBroker),
);
const unknown =
  values.only?.filter((name) => !attacks.some((attack) => attack.name === name)) ?? [];

if (!form || !Number.isInteger(options.seed) || !(options.requests > 0) || unknown.length > 0) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  await runWithResources(forms[form], runAttacks);
}
// The package of the embedded PostgreSQL would otherwise exit with code 0 in every case.
process.exit();

async function runAttacks(target: Target, resources: AsyncDisposableStack): Promise<void> {
  const rows: Row[] = [];
  for (const attack of chosen) {
    const row = await runOne(attack, target);
    rows.push(row);
    process.stdout.write(`  ${verdict(row.result)} ${ratioOf(row.result)}`.trimEnd() + '\n');
  }
  // Everything is exported and written when the processes have ended.
  await resources.disposeAsync();
  rows.push(await inspectOutputs(target));
  process.stdout.write(`seed ${options.seed}\n${report(rows)}\n`);
  if (values.json)
    await writeFile(values.json, JSON.stringify({ form, ...options, rows }, null, 2));
  const broken = rows.filter(({ result }) => result.violations.length > 0).length;
  if (broken > 0) process.stdout.write(`The logs are in ${target.dataDirectory}\n`);
  else await rm(target.dataDirectory, { recursive: true, force: true });
  process.stdout.write(`${rows.length - broken} passed, ${broken} failed\n`);
  process.exitCode = broken > 0 ? 1 : 0;
}

/** Runs an attack, and watches the processes meanwhile. An attack that throws is one violation. */
async function runOne(attack: Attack, target: Target): Promise<Row> {
  process.stdout.write(`${attack.name}: ${attack.tried}\n`);
  const begun = Date.now();
  const memory = new MemoryWatch(target);
  const before = new Set(await findDefects(target));
  const result = await attack.run(target, options).catch((error: unknown): AttackResult => ({
    violations: [`it broke off: ${error instanceof Error ? (error.stack ?? '') : String(error)}`],
  }));
  await memory.sample();
  const worst = memory.stop();
  const defects = (await findDefects(target)).filter((each) => !before.has(each));
  const [most] = [...worst].toSorted(([, a], [, b]) => b - a);
  return {
    name: attack.name,
    tried: attack.tried,
    seconds: (Date.now() - begun) / 1_000,
    memory: most ? { process: most[0], mb: most[1] } : null,
    result: {
      ...result,
      violations: [...result.violations, ...defects, ...memoryViolations(worst)],
    },
  };
}

/** Searches all logs and traces of the run for secrets. */
async function inspectOutputs(target: Target): Promise<Row> {
  const begun = Date.now();
  const files = await outputFiles(target);
  const listFile = join(target.dataDirectory, 'secrets');
  const violations = await target.secrets.findIn(files, listFile);
  return {
    name: 'secrets',
    tried: `${target.secrets.size} secrets in ${files.length} logs and traces of the run`,
    seconds: (Date.now() - begun) / 1_000,
    memory: null,
    result: { violations },
  };
}
