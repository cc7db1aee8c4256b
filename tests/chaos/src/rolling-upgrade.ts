import { setTimeout as pause } from 'node:timers/promises';
import type { BalancedClient } from './balanced-client.ts';
import type { Ledger } from './ledger.ts';
import type { System } from './system.ts';

/**
 * Time in milliseconds between draining an HTTP server and stopping it, so that requests on their way
 * arrive: the preStop hook of the Kubernetes manifests does the same for longer.
 */
const drainMs = 500;

/** The result of an upgrade. */
export interface Upgrade {
  /** Number of migrations that ran first. */
  readonly migrations: number;
  readonly processes: number;
  /** Number of operations that were acknowledged meanwhile. */
  readonly served: number;
  /** Operations that failed meanwhile, and processes that did not exit with code 0. */
  readonly failures: readonly string[];
}

/**
 * Rolls out the next version: migrates the schemas and replaces the processes one by one. Each
 * replacement waits until the previous process is ready, so both versions serve meanwhile. Removes
 * the errors of this phase from the ledger, to separate them from errors of faults.
 */
export async function rollingUpgrade(
  { processes, baseUrls }: System,
  next: NonNullable<System['next']>,
  ledger: Ledger,
  calls: BalancedClient,
): Promise<Upgrade> {
  const before = ledger.totalAcknowledged;
  const migrations = await next.migrate();
  const failures: string[] = [];
  const trafficOf = (name: string) => {
    const index = Number(/\d+$/.exec(name)) - 1;
    const address = baseUrls[index];
    if (name.startsWith('gateway') && address) {
      return { leave: () => calls.drain(address), comeBack: () => calls.restore(address) };
    }
    const { balancer } = next;
    if (!name.startsWith('provider')) return null;
    return { leave: () => balancer.drain(index), comeBack: () => balancer.restore(index) };
  };
  for (const process of processes) {
    const traffic = trafficOf(process.name);
    traffic?.leave();
    if (traffic) await pause(drainMs);
    const code = await process.replace(next.entryOf(process.name));
    if (code !== 0) failures.push(`${process.name} exited with ${String(code)}`);
    await process.ready();
    traffic?.comeBack();
  }
  failures.push(...ledger.takeErrors());
  return {
    migrations,
    processes: processes.length,
    served: ledger.totalAcknowledged - before,
    failures,
  };
}
