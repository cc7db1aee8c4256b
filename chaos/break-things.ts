import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, PlannedFault } from './faults.ts';
import { type Recovery, watchRecovery } from './recovery.ts';
import type { Ledger } from './ledger.ts';
import type { System } from './system.ts';

/** What was broken during a run. */
export interface Breakage {
  /** By the app whose process was killed. */
  readonly kills: ReadonlyMap<string, number>;
  /** By the kind of the other faults. */
  readonly faults: ReadonlyMap<string, number>;
  /** After each return of the broker. */
  readonly recoveries: readonly Recovery[];
}

/** Breaks what is planned until `end`, and leaves everything running again. */
export async function breakThings(
  system: System,
  plan: Iterable<PlannedFault>,
  ledger: Ledger,
  end: number,
): Promise<Breakage> {
  const kills = new Map<string, number>();
  const faults = new Map<string, number>();
  const recoveries: Recovery[] = [];
  const note = (notes: Map<string, number>, name: string) =>
    notes.set(name, (notes.get(name) ?? 0) + 1);
  for (const { pause: time, fault } of plan) {
    const left = end - Date.now();
    await pause(Math.max(0, Math.min(time, left)));
    if (left <= time) break;
    if (fault.kind === 'kill') note(kills, fault.process.replace(/-\d+$/, ''));
    else note(faults, fault.kind);
    await happen(system, fault);
    if (fault.kind.startsWith('broker')) recoveries.push(await watchRecovery(system, ledger));
  }
  await Promise.all(system.processes.map((each) => each.ready()));
  return { kills, faults, recoveries };
}

async function happen(system: System, fault: Fault): Promise<void> {
  const find = (name: string) => {
    const found = system.processes.find((each) => each.name === name);
    if (!found) throw new Error(`there is no process ${name}`);
    return found;
  };
  const node = system.broker?.node;
  switch (fault.kind) {
    case 'kill': {
      const target = find(fault.process);
      target.kill();
      // Where all is one process, there is nothing else to try until it is back.
      if (system.processes.length === 1) await target.ready();
      return;
    }
    case 'freeze': {
      const target = find(fault.process);
      target.freeze();
      await pause(fault.time);
      target.thaw();
      return;
    }
    case 'broker stop':
      await node?.stopApp();
      await pause(fault.time);
      await node?.startApp();
      return;
    case 'broker kill':
      await node?.killNode();
      await pause(fault.time);
      await node?.startNode();
      return;
    case 'memory alarm':
      await node?.raiseMemoryAlarm();
      await pause(fault.time);
      await node?.endMemoryAlarm();
      return;
    case 'connections closed':
      await node?.closeAllConnections();
      return;
    case 'database crash':
      await system.postgres?.crash();
      await pause(fault.time);
      await system.postgres?.startAgain();
      return;
  }
}
