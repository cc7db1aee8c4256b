import { setTimeout as pause } from 'node:timers/promises';
import type { Calls } from './calls.ts';
import type { Ledger } from './ledger.ts';
import type { System } from './system.ts';

/**
 * How long what answers HTTP goes on after its balancer has left it, as with the preStop hook of the manifests,
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
  const wayTo = (name: string) => {
    const place = Number(/\d+$/.exec(name)) - 1;
    const address = baseUrls[place];
    if (name.startsWith('gateway') && address) {
      return { leave: () => calls.leave(address), comeBack: () => calls.comeBack(address) };
    }
    const { balancer } = next;
    if (!name.startsWith('provider')) return null;
    return { leave: () => balancer.leave(place), comeBack: () => balancer.comeBack(place) };
  };
  for (const process of processes) {
    const way = wayTo(process.name);
    way?.leave();
    if (way) await pause(leavingTime);
    const code = await process.replace(next.entryOf(process.name));
    if (code !== 0) failures.push(`${process.name} ended with ${String(code)}`);
    await process.ready();
    way?.comeBack();
  }
  failures.push(...ledger.takeErrors());
  return { migrations, processes: processes.length, served: ledger.sum - before, failures };
}
