import type { SeededRandom } from '@registrar/testing';
import type { System } from './system.ts';

/** A fault, and its duration in milliseconds. */
export type Fault =
  | { readonly kind: 'kill'; readonly process: string }
  | { readonly kind: 'freeze'; readonly process: string; readonly durationMs: number }
  | { readonly kind: 'broker stop' | 'broker kill'; readonly durationMs: number }
  | { readonly kind: 'memory alarm'; readonly durationMs: number }
  | { readonly kind: 'connections closed' }
  | { readonly kind: 'database crash'; readonly durationMs: number };

/** A fault, and the delay before it in milliseconds. */
export interface PlannedFault {
  readonly delayMs: number;
  readonly fault: Fault;
}

/** Number of killed processes between two faults of other kinds. */
const killsBetweenOtherFaults = 6;

/**
 * Generates an endless sequence of faults: each round has every kind of fault once, in random order,
 * with kills between them. The same seed generates the same sequence.
 */
export function* planFaults(system: System, random: SeededRandom): Generator<PlannedFault> {
  const names = system.processes.map((each) => each.name);
  for (;;) {
    for (const kind of random.shuffled(kindsFor(system))) {
      for (let kill = 0; kill < killsBetweenOtherFaults; kill += 1) {
        yield {
          delayMs: random.integer(600, 2_000),
          fault: { kind: 'kill', process: random.pick(names) },
        };
      }
      yield { delayMs: random.integer(1_000, 2_000), fault: faultOf(kind, names, random) };
    }
  }
}

function kindsFor({ broker, postgres }: System): Exclude<Fault['kind'], 'kill'>[] {
  return [
    'freeze',
    ...(broker
      ? (['broker stop', 'connections closed', 'memory alarm', 'broker kill'] as const)
      : []),
    ...(postgres ? (['database crash'] as const) : []),
  ];
}

function faultOf(
  kind: Exclude<Fault['kind'], 'kill'>,
  names: readonly string[],
  random: SeededRandom,
): Fault {
  switch (kind) {
    case 'freeze':
      return { kind, process: random.pick(names), durationMs: random.integer(1_000, 5_000) };
    case 'connections closed':
      return { kind };
    case 'broker stop':
    case 'broker kill':
    case 'memory alarm':
    case 'database crash':
      return { kind, durationMs: random.integer(500, 3_000) };
  }
}
