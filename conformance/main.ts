import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { allCases } from './all-cases.ts';
import { type Facts, Installation } from './installation.ts';
import { report } from './report.ts';
import { type Result, runCases } from './run-cases.ts';

const usage = 'conformance [--quickstart var/quickstart.json] [--base-url URL] [--only WORDS]\n';

/** How many cases run at the same time. */
const atOnce = 6;

/**
 * Holds an installation to the contract, from outside. The quickstart file says where it is and
 * how to get in; exit code 1 means that something failed.
 */
const { values } = parseArgs({
  options: {
    quickstart: { type: 'string', default: 'var/quickstart.json' },
    'base-url': { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** A line for the terminal in place of a run. */
class Hindrance extends Error {}

async function readFacts(file: string): Promise<Facts> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Facts;
  } catch (error) {
    throw new Hindrance(`${file} cannot be read: ${(error as Error).message}`);
  }
}

async function run(): Promise<Result[]> {
  const facts = await readFacts(values.quickstart);
  const base_url = values['base-url'] ?? facts.base_url;
  const installation = new Installation({ ...facts, base_url });
  await installation.api.get('/course.json', {}).catch(() => {
    throw new Hindrance(`nothing answers at ${base_url}`);
  });
  const only = values.only ?? '';
  const cases = allCases.filter(({ name, covers }) => [name, ...covers].join().includes(only));
  return runCases(cases, installation, atOnce);
}

if (values.help) {
  process.stdout.write(usage);
} else {
  try {
    const results = await run();
    process.stdout.write(report(results));
    process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Hindrance)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
