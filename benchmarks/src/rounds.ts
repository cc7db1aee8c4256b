import type { Round, SystemRounds } from './results.ts';

/** How often each system is measured; the median counts. */
const roundCount = 5;

/**
 * A system is warm when a round does not beat the best one before by more than this part. V8 optimizes
 * what has run some thousand times, so that slow requests need more rounds than fast ones.
 */
const warmGain = 0.05;
const maxWarmUpRounds = 12;

/** A round that takes longer, such as an export of a million rows, is enough to warm up: milliseconds. */
const longRoundMs = 10_000;

/** A system that takes part in a scenario. */
export interface Contestant {
  /** `distributed`, `standalone`, or the name of a baseline. */
  readonly system: string;
  readonly measure: () => Promise<Round>;
}

/**
 * Measures all systems in turn, round by round, after rounds that warm them up and do not count. The order
 * changes with every round, so that none of them always follows the same one.
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
  for (const { measure } of order) await warmUp(measure);
  for (let round = 0; round < roundCount; round += 1) {
    for (const { measure, rounds } of order) rounds.push(await measure());
    order.push(order.shift()!);
  }
  return systems.map(({ system, rounds }) => ({ system, rounds }));
}

async function warmUp(measure: () => Promise<Round>): Promise<void> {
  let best = 0;
  for (let round = 0; round < maxWarmUpRounds; round += 1) {
    const begun = performance.now();
    const { rate } = await measure();
    const isLong = performance.now() - begun > longRoundMs;
    if (rate === undefined || rate <= best * (1 + warmGain) || isLong) return;
    best = rate;
  }
}
