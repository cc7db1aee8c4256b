import type { Round, SystemRounds } from './results.ts';

/** How often each system is measured; the median counts. */
const roundCount = 5;

/** A system that takes part in a scenario. */
export interface Contestant {
  /** `distributed`, `standalone`, or the name of a baseline. */
  readonly system: string;
  readonly measure: () => Promise<Round>;
}

/**
 * Measures all systems in turn, round by round, after one round that warms them up and does not count. The
 * order changes with every round, so that none of them always follows the same one.
 */
export async function measureRounds(contestants: readonly Contestant[]): Promise<SystemRounds[]> {
  const order = contestants.map(({ system, measure }) => ({
    system,
    measure: () =>
      measure().catch((cause: unknown) => {
        throw new Error(`${system} could not be measured`, { cause });
      }),
    rounds: [] as Round[],
  }));
  const systems = [...order];
  for (const { measure } of order) await measure();
  for (let round = 0; round < roundCount; round += 1) {
    for (const { measure, rounds } of order) rounds.push(await measure());
    order.push(order.shift()!);
  }
  return systems.map(({ system, rounds }) => ({ system, rounds }));
}
