import { parseArgs } from 'node:util';
import { runWithResources } from '@registrar/testing';
import { catalogue } from './catalogue.ts';
import { failedExits, measureExits, renderExits } from './exits.ts';
import { Installation } from './installation.ts';
import { runPlays } from './run-plays.ts';
import { deviations, renderTable } from './table.ts';

const usage = 'courses [--only TEXT] [--exits N]\n';

/** Packages that are played at a time. */
const concurrency = 3;

/**
 * Plays the catalogue of packages in Chromium against a standalone form that it starts, and prints a table. Exit code 1
 * means that a cell deviates from what is expected. With `--exits`, leaves so many launches in each way instead, and
 * counts the results that were there at once. The last line is `N passed, N failed`.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    exits: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});
const launches = Number(values.exits);

/** How many packages, or launches, have the expected result, and how many have not. */
interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

if (values.help || !Number.isInteger(launches) || launches < 0) {
  process.stderr.write(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  await runWithResources(
    (resources) => Installation.start(resources),
    async (installation) => {
      const outcome =
        launches > 0 ? await leaveLaunches(installation) : await playCatalogue(installation);
      process.stdout.write(`${outcome.passed} passed, ${outcome.failed} failed\n`);
      process.exitCode = outcome.failed > 0 ? 1 : 0;
    },
  );
}
// The package of the embedded PostgreSQL would otherwise exit with code 0 in every case.
process.exit();

async function playCatalogue(installation: Installation): Promise<Outcome> {
  const all = await catalogue(installation);
  const plays = all.filter(({ name }) => name.includes(values.only));
  if (plays.length === 0) throw new Error(`no package's name contains ${values.only}`);
  const rows = await runPlays(plays, concurrency, (row) => {
    const outcome = deviations(row).join('; ') || 'passed';
    process.stderr.write(`${row.name}, ${row.standard}: ${outcome}\n`);
  });
  process.stdout.write(`${renderTable(rows)}\n`);
  const failed = rows.filter((row) => deviations(row).length > 0).length;
  return { passed: rows.length - failed, failed };
}

async function leaveLaunches(installation: Installation): Promise<Outcome> {
  const counts = await measureExits(installation, launches, (done) => {
    if (done % 50 === 0) process.stderr.write(`${done} launches left\n`);
  });
  process.stdout.write(`${renderExits(counts)}\n`);
  const failed = failedExits(counts);
  return { passed: counts.length * launches - failed, failed };
}
