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
  /** How many times longer its rounds are than those of others, for the same number of requests; 1 by default. */
  readonly roundFactor?: number;
}

/**
 * How long a half of a round goes on before latencies count: seconds. An attack opens its connections in its first moments,
 * and those of the half before are closed in the first moments of calm; they would decide the 95th percentile of rounds of
 * seconds, while they are nothing in an attack of minutes. What fails in them counts.
 */
const settlingSeconds = 1;

const settledP95 = (observed: readonly Observed[]): number =>
  p95(observed.filter(({ atMs }) => atMs >= settlingSeconds * 1_000));

/** Begins something that may end by itself after so many seconds, and returns what ends it. */
export type Begin = (seconds: number) => Promise<() => Promise<void>>;

/** What an attack may cost the bystander at most: each promise of an attack is at least this. */
const maxRatio = 1.5;
const minSuccess = 0.99;

/** The rounds of a comparison. */
interface Rounds {
  /** How many; three times as many if their median ratio exceeds what is promised. All of them count. */
  readonly count: number;
  /** How long the bystander is observed without the attack, and then with it. */
  readonly seconds: number;
}

/** Enough rounds for a median of ratios that other load of the machine does not decide. */
export const roundsOf = ({ long }: { readonly long: boolean }): Rounds =>
  long ? { count: 15, seconds: 10 } : { count: 7, seconds: 4 };

/**
 * Observes the bystander in rounds: without the attack, then with it. Other load of the machine
 * comes and goes slowly in relation to a round, so it changes both halves alike.
 *
 * @param attack begins the attack, and returns what ends it
 * @param usual begins what also happens without the attack
 */
export async function compareWithCalm(
  bystander: Observer,
  { count, seconds: usualSeconds }: Rounds,
  attack: Begin,
  usual: Begin = () => Promise.resolve(() => Promise.resolve()),
): Promise<Comparison> {
  const seconds = usualSeconds * (bystander.roundFactor ?? 1);
  const observeDuring = async (begin: Begin) => {
    const end = await begin(settlingSeconds + seconds);
    try {
      return await bystander.observe(settlingSeconds + seconds);
    } finally {
      await end();
    }
  };
  const rounds: { calm: readonly Observed[]; attacked: readonly Observed[] }[] = [];
  const ratios = () => rounds.map((round) => settledP95(round.attacked) / settledP95(round.calm));
  const observeRounds = async (total: number) => {
    while (rounds.length < total) {
      const calm = await observeDuring(usual);
      rounds.push({ calm, attacked: await observeDuring(attack) });
    }
  };
  await observeRounds(count);
  if (median(ratios()) > maxRatio) await observeRounds(3 * count);
  const attacked = rounds.flatMap((round) => round.attacked);
  return {
    successes: attacked.filter(isSuccess).length,
    requests: attacked.length,
    p95Ms: settledP95(attacked),
    calmP95Ms: settledP95(rounds.flatMap(({ calm }) => calm)),
    ratios: ratios(),
  };
}

/**
 * The violations of what every attack must leave to the bystander: at least 99 % of its requests are
 * answered with success, and the median of the rounds' ratios is at most 1.5. Both halves of a round see
 * the same machine, and half of the rounds may be disturbed without deciding.
 */
export function tooMuchTaken({ successes, requests, ratios }: Comparison): string[] {
  const violations: string[] = [];
  if (successes < requests * minSuccess) {
    violations.push(
      `${successes} of ${requests} requests of the bystander succeeded, promised: ${minSuccess * 100} %`,
    );
  }
  // Without a single success there is no ratio.
  if (!(median(ratios) <= maxRatio)) {
    const each = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
    violations.push(
      `p95 of the bystander is ${median(ratios).toFixed(2)} times that without the attack (${each}), promised: ${maxRatio}`,
    );
  }
  return violations;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
