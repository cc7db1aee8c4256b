import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { allCases } from './all-cases.ts';
import { type Facts, Installation } from './installation.ts';
import { report } from './report.ts';
import { type Result, runCases } from './run-cases.ts';

const usage = 'conformance [--quickstart var/quickstart.json] [--base-url URL] [--only WORDS]\n';

/** The number of cases that run concurrently. */
const concurrency = 6;

/**
 * Checks an installation against docs/contract, over HTTP alone. The quickstart file holds its
 * address and credentials. The exit code is 1 when a case fails.
 */
const { values } = parseArgs({
  options: {
    quickstart: { type: 'string', default: 'var/quickstart.json' },
    'base-url': { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** Ends the command with its message, without a stack trace. */
class CommandError extends Error {}

async function readFacts(file: string): Promise<Facts> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Facts;
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

async function run(): Promise<Result[]> {
  const facts = await readFacts(values.quickstart);
  const base_url = values['base-url'] ?? facts.base_url;
  const installation = new Installation({ ...facts, base_url });
  await installation.api.get('/course.json', {}).catch((error: unknown) => {
    throw new CommandError(`cannot reach ${base_url}: ${String(error)}`);
  });
  const only = values.only ?? '';
  const cases = allCases.filter(({ name, covers }) => [name, ...covers].join().includes(only));
  return runCases(cases, installation, concurrency);
}

if (values.help) {
  process.stdout.write(usage);
} else {
  try {
    const results = await run();
    process.stdout.write(report(results));
    process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
