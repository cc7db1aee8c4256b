import type { DedicatedBroker } from '@registrar/testing';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { Broker } from './system.ts';

/** Time in milliseconds in which the apps use a returned node before the next one is stopped. */
const betweenNodesMs = 5_000;

/** Failed operations that are further apart have different causes, such as the drain of a node and its stop: milliseconds. */
const maxGapMs = 2_000;

/** A node of the broker that goes away or has returned. */
interface Disturbance {
  readonly what: string;
  /** When the command began that kills, drains or stops the node, or when it has returned: milliseconds since the epoch. */
  readonly at: number;
}

/** The effect of a node of the broker that went away or returned. */
export interface NodeChange {
  readonly what: string;
  /** The longest time in which operations kept failing before the next change in milliseconds; 0 without any. */
  readonly errorsLastedMs: number;
}

/** Kills nodes of a cluster, or drains and restarts them, and records when each went away and returned. */
export class NodeFaults {
  readonly #disturbances: Disturbance[] = [];

  constructor(private readonly broker: Broker) {}

  /** Kills a node, and starts it again. */
  async kill(node: number, durationMs: number): Promise<void> {
    const target = this.#node(node);
    this.#record('killed');
    await target.killNode();
    await pause(durationMs);
    await this.#start(target);
  }

  /** Drains a node, stops it, and starts it again. */
  async drain(node: number, durationMs: number): Promise<void> {
    const target = this.#node(node);
    this.#record('drained');
    await target.drainNode();
    this.#record('stopped');
    await target.stopNode();
    await pause(durationMs);
    await this.#start(target);
  }

  /** Drains and restarts every node, one after the other. */
  async roll(): Promise<void> {
    for (const node of this.broker.nodes.keys()) {
      if (node > 0) await pause(betweenNodesMs);
      await this.drain(node, 0);
    }
  }

  /** Measures how long operations failed after each change. */
  changes({ errors }: Ledger): NodeChange[] {
    return this.#disturbances.map(({ what, at }, index) => {
      const end = this.#disturbances[index + 1]?.at ?? Infinity;
      const ends = errors.map(({ endedAt }) => endedAt).filter((each) => each > at && each <= end);
      return { what, errorsLastedMs: longestStreak(ends.toSorted((a, b) => a - b)) };
    });
  }

  #node(node: number): DedicatedBroker {
    const found = this.broker.nodes[node];
    if (!found) throw new Error(`the broker has no node ${node}`);
    return found;
  }

  async #start(node: DedicatedBroker): Promise<void> {
    await node.startNode();
    this.#record('returned');
  }

  #record(what: string): void {
    this.#disturbances.push({ what, at: Date.now() });
  }
}

function longestStreak(times: readonly number[]): number {
  let begun = times[0] ?? 0;
  let longest = 0;
  for (const [index, time] of times.entries()) {
    if (time - (times[index - 1] ?? time) > maxGapMs) begun = time;
    longest = Math.max(longest, time - begun);
  }
  return longest;
}
