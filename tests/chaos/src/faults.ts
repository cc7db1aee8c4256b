import type { SeededRandom } from '@registrar/testing';
import type { BrokerNodeCount, System } from './system.ts';

/** A fault, and its duration in milliseconds. */
export type Fault =
  | { readonly kind: 'kill'; readonly process: string }
  | { readonly kind: 'freeze'; readonly process: string; readonly durationMs: number }
  | { readonly kind: 'broker stop' | 'broker kill'; readonly durationMs: number }
  /** One node of a cluster killed, or drained and restarted. */
  | {
      readonly kind: 'node kill' | 'node drain';
      readonly node: number;
      readonly durationMs: number;
    }
  /** All nodes of a cluster drained and restarted, one after the other. */
  | { readonly kind: 'rolling restart' }
  | { readonly kind: 'memory alarm'; readonly durationMs: number }
  | { readonly kind: 'connections closed' }
  | { readonly kind: 'database crash'; readonly durationMs: number }
  /** The provider unreachable while all results change there. */
  | { readonly kind: 'provider outage'; readonly durationMs: number };

/** A fault, and the delay before it in milliseconds. */
export interface PlannedFault {
  readonly delayMs: number;
  readonly fault: Fault;
}

/** Number of killed processes between two faults of other kinds, by the number of the broker's nodes. */
const killsBetweenOtherFaults: Readonly<Record<BrokerNodeCount, number>> = { 1: 6, 3: 2 };

/**
 * Generates an endless sequence of faults: each round has every kind of fault once, in random order,
 * with kills between them. The same seed generates the same sequence.
 */
export function* planFaults(system: System, random: SeededRandom): Generator<PlannedFault> {
  const names = system.processes.map((each) => each.name);
  const kills = killsBetweenOtherFaults[system.broker?.nodes.length === 3 ? 3 : 1];
  for (;;) {
    for (const kind of random.shuffled(kindsFor(system))) {
      for (let kill = 0; kill < kills; kill += 1) {
        yield {
          delayMs: random.integer(600, 2_000),
          fault: { kind: 'kill', process: random.pick(names) },
        };
      }
      yield { delayMs: random.integer(1_000, 2_000), fault: faultOf(kind, system, random) };
    }
  }
}

type OtherKind = Exclude<Fault['kind'], 'kill'>;

function kindsFor({ broker, postgres, providerBalancer }: System): OtherKind[] {
  const ofBroker: OtherKind[] =
    broker?.nodes.length === 1
      ? ['broker stop', 'broker kill']
      : ['node kill', 'node drain', 'rolling restart'];
  return [
    'freeze',
    ...(broker ? ([...ofBroker, 'connections closed', 'memory alarm'] as const) : []),
    ...(postgres ? (['database crash'] as const) : []),
    ...(providerBalancer ? (['provider outage'] as const) : []),
  ];
}

function faultOf(kind: OtherKind, { processes, broker }: System, random: SeededRandom): Fault {
  const names = processes.map(({ name }) => name);
  switch (kind) {
    case 'freeze':
      return { kind, process: random.pick(names), durationMs: random.integer(1_000, 5_000) };
    case 'connections closed':
    case 'rolling restart':
      return { kind };
    case 'node kill':
    case 'node drain':
      return {
        kind,
        node: random.integer(0, (broker?.nodes.length ?? 1) - 1),
        durationMs: random.integer(2_000, 6_000),
      };
    case 'broker stop':
    case 'broker kill':
    case 'memory alarm':
    case 'database crash':
      return { kind, durationMs: random.integer(500, 3_000) };
    case 'provider outage':
      return { kind, durationMs: random.integer(3_000, 10_000) };
  }
}
