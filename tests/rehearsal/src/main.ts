import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWithResources } from '@registrar/testing';
import { rehearse } from './rehearse.ts';
import { brokenPromises, report } from './report.ts';

/**
 * Rehearses the life of an installation on this machine. Exit code 1 means that a promise of
 * docs/reliability.md was broken.
 */
const directory = await mkdtemp(join(tmpdir(), 'registrar-rehearsal-'));
// PostgreSQL's own user must reach its data.
await chmod(directory, 0o711);
await runWithResources(
  async () => directory,
  async (_, resources) => {
    const rehearsed = await rehearse(directory, resources);
    const broken = brokenPromises(rehearsed);
    process.stdout.write(`${report(rehearsed)}\n`);
    for (const line of broken) process.stdout.write(`BROKEN ${line}\n`);
    await resources.disposeAsync();
    if (broken.length > 0) process.stdout.write(`The logs are in ${directory}\n`);
    else await rm(directory, { recursive: true, force: true });
    process.stdout.write(`${rehearsed.steps.length} steps, ${broken.length} broken promises\n`);
    process.exitCode = broken.length > 0 ? 1 : 0;
  },
);
// The package of the embedded PostgreSQL would otherwise exit with code 0 in every case.
process.exit();
