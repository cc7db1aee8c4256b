import type { SeededRandom } from './random.ts';
import type { System } from './system.ts';

/** Something to break, and for how long: milliseconds. */
export type Fault =
  | { readonly kind: 'kill'; readonly process: string }
  | { readonly kind: 'freeze'; readonly process: string; readonly time: number }
  | { readonly kind: 'broker stop' | 'broker kill'; readonly time: number }
  | { readonly kind: 'memory alarm'; readonly time: number }
  | { readonly kind: 'connections closed' }
  | { readonly kind: 'database crash'; readonly time: number };

/** A fault, and how long to leave the system alone before it: milliseconds. */
export interface PlannedFault {
  readonly pause: number;
  readonly fault: Fault;
}

/** How many kills stand between two faults of another kind. */
const killsBetween = 6;

/**
 * What is broken, one after the other and without end: in each round every kind of fault once, in
 * an order of its own, and kills between them. The same for the same numbers.
 */
export function* planFaults(system: System, random: SeededRandom): Generator<PlannedFault> {
  const names = system.processes.map((each) => each.name);
  for (;;) {
    for (const kind of random.shuffled(kindsFor(system))) {
      for (let kill = 0; kill < killsBetween; kill += 1) {
        yield {
          pause: random.whole(600, 2_000),
          fault: { kind: 'kill', process: random.pick(names) },
        };
      }
      yield { pause: random.whole(1_000, 2_000), fault: faultOf(kind, names, random) };
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
      return { kind, process: random.pick(names), time: random.whole(1_000, 5_000) };
    case 'connections closed':
      return { kind };
    case 'broker stop':
    case 'broker kill':
    case 'memory alarm':
    case 'database crash':
      return { kind, time: random.whole(500, 3_000) };
  }
}
