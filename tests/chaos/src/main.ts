import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runWithResources } from '@registrar/testing';
import { checksOf, report } from './report.ts';
import { runChaos } from './run-chaos.ts';
import { startDistributed } from './start-distributed.ts';
import { startStandalone } from './start-standalone.ts';
import { type BrokerNodeCount, brokerNodeCounts, type Form, forms, type System } from './system.ts';

/**
 * Starts a system, upgrades it and injects faults while clients use it, then compares the responses
 * of the clients with the stored data. Exit code 1 means that a promise of docs/reliability.md was
 * broken. `--untimed` is for a machine that is busy with other work: clients are slower, and the
 * promises about durations are left out.
 */
const usage = `chaos --minutes N [--rotate] [--untimed] [--form ${forms.join('|')}] [--brokers ${brokerNodeCounts.join('|')}] [--seed N] [--from DIRECTORY]\n`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    rotate: { type: 'boolean', default: false },
    untimed: { type: 'boolean', default: false },
    form: { type: 'string', default: 'distributed' },
    brokers: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const form = forms.find((each) => each === values.form);
const brokers = brokerNodeCounts.find((each) => String(each) === values.brokers);

if (
  !form ||
  !brokers ||
  (form === 'standalone' && brokers > 1) ||
  !Number.isInteger(seed) ||
  !(minutes >= 0)
) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  await run(form, brokers);
}
// The package of the embedded PostgreSQL would otherwise exit with code 0 in every case.
process.exit();

async function run(chosen: Form, nodeCount: BrokerNodeCount): Promise<void> {
  const start = { distributed: startDistributed, standalone: startStandalone }[chosen];
  await runWithResources(
    (resources): Promise<System> => start(resources, { from: values.from, brokers: nodeCount }),
    async (system, resources) => {
      const isTimed = !values.untimed;
      const result = await runChaos(system, { minutes, seed, rotate: values.rotate, isTimed });
      const checks = checksOf(result, isTimed);
      const broken = checks.filter(({ kept }) => !kept).length;
      process.stdout.write(`${chosen}, seed ${seed}: ${report(result, checks)}\n`);
      await resources.disposeAsync();
      if (broken > 0) process.stdout.write(`The logs are in ${system.directory}\n`);
      else await rm(system.directory, { recursive: true, force: true });
      process.stdout.write(`${checks.length - broken} passed, ${broken} failed\n`);
      process.exitCode = broken > 0 ? 1 : 0;
    },
  );
}
