import { setTimeout as pause } from 'node:timers/promises';
import type { Calls } from './calls.ts';
import type { Ledger } from './ledger.ts';
import type { System } from './system.ts';

/**
 * How long a gateway goes on after its balancer has left it, as with the preStop hook of the manifests,
 * though shorter: what was on its way must have come. Milliseconds.
 */
const leavingTime = 500;

/** What came of an upgrade. */
export interface Upgrade {
  /** How many migrations the schemas took first. */
  readonly migrations: number;
  readonly processes: number;
  /** How many operations were acknowledged meanwhile. */
  readonly served: number;
  /** Operations that failed meanwhile, and processes that did not end in order. */
  readonly failures: readonly string[];
}

/**
 * Rolls the next version out: migrates the schemas, and replaces every process, one after the
 * other. The next one's turn comes when the one before is ready, so both versions serve meanwhile.
 * Errors are taken out of the ledger, to tell them apart from those that faults bring.
 */
export async function rollingUpgrade(
  { processes, baseUrls }: System,
  next: NonNullable<System['next']>,
  ledger: Ledger,
  calls: Calls,
): Promise<Upgrade> {
  const before = ledger.sum;
  const migrations = await next.migrate();
  const failures: string[] = [];
  const gateways = processes.filter(({ name }) => name.startsWith('gateway'));
  for (const process of processes) {
    const address = baseUrls[gateways.indexOf(process)];
    if (address) {
      calls.leave(address);
      await pause(leavingTime);
    }
    const code = await process.replace(next.entryOf(process.name));
    if (code !== 0) failures.push(`${process.name} ended with ${String(code)}`);
    await process.ready();
    if (address) calls.comeBack(address);
  }
  failures.push(...ledger.takeErrors());
  return { migrations, processes: processes.length, served: ledger.sum - before, failures };
}
