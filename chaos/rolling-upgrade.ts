import type { Ledger } from './ledger.ts';
import type { System } from './system.ts';

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
  { processes }: System,
  next: NonNullable<System['next']>,
  ledger: Ledger,
): Promise<Upgrade> {
  const before = ledger.sum;
  const migrations = await next.migrate();
  const failures: string[] = [];
  for (const process of processes) {
    const code = await process.replace(next.entryOf(process.name));
    if (code !== 0) failures.push(`${process.name} ended with ${String(code)}`);
    await process.ready();
  }
  failures.push(...ledger.takeErrors());
  return { migrations, processes: processes.length, served: ledger.sum - before, failures };
}
