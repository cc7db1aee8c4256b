import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { allCases } from './all-cases.ts';
import { type Facts, Installation } from './installation.ts';
import { report } from './report.ts';
import { runCases } from './run-cases.ts';

const usage = 'conformance [--quickstart var/quickstart.json] [--base-url URL] [--only WORDS]\n';

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

if (values.help) {
  process.stdout.write(usage);
} else {
  const facts = JSON.parse(await readFile(values.quickstart, 'utf8')) as Facts;
  const base_url = values['base-url'] ?? facts.base_url;
  const only = values.only ?? '';
  const cases = allCases.filter(({ name, covers }) => [name, ...covers].join().includes(only));
  const results = await runCases(cases, new Installation({ ...facts, base_url }), 6);
  process.stdout.write(report(results));
  process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}
