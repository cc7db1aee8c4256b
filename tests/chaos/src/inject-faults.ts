import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, PlannedFault } from './faults.ts';
import { type Recovery, measureRecovery } from './recovery.ts';
import type { Ledger } from './ledger.ts';
import { type NodeChange, NodeFaults } from './node-faults.ts';
import { interruptProvider } from './provider-outage.ts';
import type { Broker, System } from './system.ts';

/** The faults that were injected during a run. */
export interface InjectedFaults {
  /** Number of killed processes by app. */
  readonly kills: ReadonlyMap<string, number>;
  /** Number of other faults by kind. */
  readonly faults: ReadonlyMap<string, number>;
  /** One measurement for each restart of the broker, or of a node of it. */
  readonly recoveries: readonly Recovery[];
  /** The nodes of a cluster that went away or returned. */
  readonly nodeChanges: readonly NodeChange[];
}

/** Injects the planned faults until `end`, then waits until every process is ready. */
export async function injectFaults(
  system: System,
  plan: Iterable<PlannedFault>,
  ledger: Ledger,
  end: number,
): Promise<InjectedFaults> {
  const kills = new Map<string, number>();
  const faults = new Map<string, number>();
  const recoveries: Recovery[] = [];
  const nodeChanges: NodeChange[] = [];
  const increment = (counts: Map<string, number>, name: string) =>
    counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { delayMs, fault } of plan) {
    const left = end - Date.now();
    await pause(Math.max(0, Math.min(delayMs, left)));
    if (left <= delayMs) break;
    if (fault.kind === 'kill') increment(kills, fault.process.replace(/-\d+$/, ''));
    else increment(faults, fault.kind);
    if (isNodeFault(fault)) {
      // The effects of the kills before are not those of the node.
      await Promise.all(system.processes.map((each) => each.ready()));
      const nodes = new NodeFaults(requireBroker(system));
      await injectNodeFault(nodes, fault);
      recoveries.push(await measureRecovery(system, ledger));
      nodeChanges.push(...nodes.changes(ledger));
      continue;
    }
    await inject(system, fault);
    if (fault.kind.startsWith('broker')) recoveries.push(await measureRecovery(system, ledger));
  }
  await Promise.all(system.processes.map((each) => each.ready()));
  return { kills, faults, recoveries, nodeChanges };
}

type NodeFault = Extract<Fault, { kind: 'node kill' | 'node drain' | 'rolling restart' }>;

const isNodeFault = (fault: Fault): fault is NodeFault =>
  fault.kind === 'node kill' || fault.kind === 'node drain' || fault.kind === 'rolling restart';

function requireBroker({ broker }: System): Broker {
  if (!broker) throw new Error('this form of the system has no broker');
  return broker;
}

async function injectNodeFault(nodes: NodeFaults, fault: NodeFault): Promise<void> {
  switch (fault.kind) {
    case 'node kill':
      return nodes.kill(fault.node, fault.durationMs);
    case 'node drain':
      return nodes.drain(fault.node, fault.durationMs);
    case 'rolling restart':
      return nodes.roll();
  }
}

async function inject(system: System, fault: Exclude<Fault, NodeFault>): Promise<void> {
  const find = (name: string) => {
    const found = system.processes.find((each) => each.name === name);
    if (!found) throw new Error(`no process is named ${name}`);
    return found;
  };
  const node = system.broker?.nodes[0];
  switch (fault.kind) {
    case 'kill': {
      const target = find(fault.process);
      target.kill();
      // The standalone form has only one process, so the next fault waits until it is ready.
      if (system.processes.length === 1) await target.ready();
      return;
    }
    case 'freeze': {
      const target = find(fault.process);
      target.freeze();
      await pause(fault.durationMs);
      target.resume();
      return;
    }
    case 'broker stop':
      await node?.stopApp();
      await pause(fault.durationMs);
      await node?.startApp();
      return;
    case 'broker kill':
      await node?.killNode();
      await pause(fault.durationMs);
      await node?.startNode();
      return;
    case 'memory alarm':
      await node?.raiseMemoryAlarm();
      await pause(fault.durationMs);
      await node?.endMemoryAlarm();
      return;
    case 'connections closed':
      await node?.closeAllConnections();
      return;
    case 'database crash':
      await system.postgres?.crash();
      await pause(fault.durationMs);
      await system.postgres?.startAgain();
      return;
    case 'provider outage':
      return interruptProvider(system, fault.durationMs);
  }
}
