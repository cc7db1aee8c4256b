import { isSuccess, type Observed, p95 } from './bystander.ts';

/** What the bystander saw with and without an attack. */
export interface Comparison {
  readonly successes: number;
  readonly requests: number;
  readonly p95Ms: number;
  readonly calmP95Ms: number;
  /** Of each round, the 95th percentile with the attack in relation to that without. */
  readonly ratios: readonly number[];
}

/** Who sends requests for so many seconds, and returns what it saw. */
interface Observer {
  observe(seconds: number): Promise<readonly Observed[]>;
}

/** Begins something and returns what ends it. */
type Begin = () => Promise<() => Promise<void>>;

/** The rounds of a comparison. */
export interface Rounds {
  readonly count: number;
  /** How long the bystander is observed without the attack, and then with it. */
  readonly seconds: number;
}

/**
 * Observes the bystander in rounds: without the attack, then with it. Other load of the machine
 * comes and goes slowly in relation to a round, so it changes both halves alike.
 *
 * @param attack begins the attack, and returns what ends it
 * @param usual begins what also happens without the attack
 */
export async function compareWithCalm(
  bystander: Observer,
  { count, seconds }: Rounds,
  attack: Begin,
  usual: Begin = () => Promise.resolve(() => Promise.resolve()),
): Promise<Comparison> {
  const observeDuring = async (begin: Begin) => {
    const end = await begin();
    try {
      return await bystander.observe(seconds);
    } finally {
      await end();
    }
  };
  const rounds = [];
  for (let round = 0; round < count; round += 1) {
    const calm = await observeDuring(usual);
    rounds.push({ calm, attacked: await observeDuring(attack) });
  }
  const attacked = rounds.flatMap((round) => round.attacked);
  return {
    successes: attacked.filter(isSuccess).length,
    requests: attacked.length,
    p95Ms: p95(attacked),
    calmP95Ms: p95(rounds.flatMap(({ calm }) => calm)),
    ratios: rounds.map((round) => p95(round.attacked) / p95(round.calm)),
  };
}

/** The chance that a promise that is just kept counts as broken. */
const errorRate = 0.05;

/**
 * Whether the median of the rounds' ratios is above a bound, as far as the rounds can tell: so many
 * of them are above it that this happens in fewer than 5 % of the runs if the median is at the bound
 * (a one-sided sign test). So one disturbed round does not decide; five rounds at least are needed.
 */
function isAbove(bound: number, ratios: readonly number[]): boolean {
  const above = ratios.filter((ratio) => ratio > bound).length;
  return chanceOfAtLeast(above, ratios.length) < errorRate;
}

/** The violation if the bystander became slower than promised. */
export function tooSlow({ ratios }: Comparison, bound: number): string[] {
  if (!isAbove(bound, ratios)) return [];
  const measured = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
  return [
    `p95 of the bystander, in relation to that without the attack: ${measured}; promised: ${bound}`,
  ];
}

/** The chance of at least `count` heads among `all` tosses of a coin. */
function chanceOfAtLeast(count: number, all: number): number {
  let ways = 1;
  let sum = 0;
  for (let heads = all; heads >= count; heads -= 1) {
    sum += ways;
    ways = (ways * heads) / (all - heads + 1);
  }
  return sum / 2 ** all;
}

/** The share of the bystander's requests that must succeed, as a violation if fewer did. */
export function tooFewSuccesses({ successes, requests }: Comparison, minimum: number): string[] {
  if (successes >= requests * minimum) return [];
  return [
    `${successes} of ${requests} requests of the bystander succeeded, promised: ${minimum * 100} %`,
  ];
}
