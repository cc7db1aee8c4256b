import type { BalancedClient } from './balanced-client.ts';
import type { Ledger } from './ledger.ts';
import { replaceReplica } from './roll-replicas.ts';
import type { System } from './system.ts';

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
  system: System,
  next: NonNullable<System['next']>,
  ledger: Ledger,
  calls: BalancedClient,
): Promise<Upgrade> {
  const before = ledger.totalAcknowledged;
  const migrations = await next.migrate();
  const failures = await rollOut(system, (name) => next.entryOf(name), calls);
  failures.push(...ledger.takeErrors());
  return {
    migrations,
    processes: system.processes.length,
    served: ledger.totalAcknowledged - before,
    failures,
  };
}

/**
 * Replaces the processes by those of another version, one by one.
 *
 * @param entryOf the entry point of a process's app in that version
 * @returns what went wrong
 */
export async function rollOut(
  system: System,
  entryOf: (process: string) => string,
  calls: BalancedClient,
): Promise<string[]> {
  const failures: string[] = [];
  for (const process of system.processes) {
    failures.push(...(await replaceReplica(system, process, calls, entryOf(process.name))));
  }
  return failures;
}
