import { runWithResources } from '@registrar/testing';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checksOf } from './checks.ts';
import { type DrillResult, milestones, runDrill } from './run-drill.ts';
import { seconds } from './steps.ts';

/**
 * Rehearses the loss of the database: prints the time of each step, what was lost, and how long the
 * installation was down. Exit code 1 means that a promise of docs/reliability.md was broken.
 */
await runWithResources(
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'registrar-drill-'));
    // PostgreSQL's own user must reach its data.
    await chmod(directory, 0o711);
    return directory;
  },
  async (directory, resources) => {
    const result = await runDrill(directory, resources);
    const checks = checksOf(result);
    const broken = checks.filter(({ kept }) => !kept).length;
    process.stdout.write(`${summaryOf(result)}\n`);
    for (const { promise, kept, seen } of checks) {
      process.stdout.write(`${kept ? 'kept  ' : 'BROKEN'} ${promise}: ${seen}\n`);
    }
    await resources.disposeAsync();
    if (broken > 0) process.stdout.write(`The logs are in ${directory}\n`);
    else await rm(directory, { recursive: true, force: true });
    process.stdout.write(`${checks.length - broken} passed, ${broken} failed\n`);
    process.exitCode = broken > 0 ? 1 : 0;
  },
);
// The package of the embedded PostgreSQL would otherwise exit with code 0 in every case.
process.exit();

function summaryOf({ steps, before, after, ...result }: DrillResult): string {
  return [
    `RTO: the apps serve ${seconds(steps.between(milestones.stop, milestones.ready))} after the decision, and are`,
    `     reconciled after ${seconds(steps.between(milestones.stop, milestones.reconciled))}`,
    `RPO: the newest write in the archive was ${seconds(result.lostMs)} old when the volume was lost`,
    `acknowledged operations: ${before.totalAcknowledged} before the moment, ${after.totalAcknowledged} after it`,
    `dropped from the broker: ${result.eventsDropped} events`,
    `adopted from the provider: ${result.adopted.size} of ${result.providerOnly.size} registrations`,
  ].join('\n');
}
