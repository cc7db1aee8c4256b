import fc from 'fast-check';

/** How many crawls and sweeps of a provider application a schedule is about, and how many arrivals. */
const crawls = 4;
const arrivalsAtMost = 5;

const outcomes = ['crawled', 'deleted', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** The first crawl, in which all registrations become known, comes before all that is scheduled. */
export const firstSequence = 1;

/** Crawls and sweeps alternate: of a crawl and a sweep of one number the sweep is the newer. */
export const crawlSequence = (crawl: number): number => 10 + 2 * crawl;
export const sweepSequence = (sweep: number): number => 11 + 2 * sweep;

/** First crawls arrive in any order, some again, some never; then every one is replayed. */
export const parts = ['arrivals', 'replay'] as const;
export type Part = (typeof parts)[number];

/** What becomes of one registration: the crawls, by their numbers, in the order of arrival. */
export interface Schedule extends Readonly<Record<Part, readonly number[]>> {
  /** What each crawl has found out about it; null for nothing. */
  readonly found: readonly (Outcome | null)[];
}

/** Schedules of the registrations of one provider application, whose sweeps concern them all. */
export interface Batch {
  readonly schedules: readonly Schedule[];
  /** Sweeps that did not see any of them, as they arrive among the crawls; null for none. */
  readonly sweeps: Readonly<Record<Part, readonly (number | null)[]>>;
  /** How many arrivals of a registration are under way at the same time. */
  readonly atOnce: number;
}

const numbers = Array.from({ length: crawls }, (_, number) => number);
const schedule: fc.Arbitrary<Schedule> = fc.record({
  found: fc.array(fc.constantFrom(...outcomes, null), { minLength: crawls, maxLength: crawls }),
  arrivals: fc.array(fc.nat(crawls - 1), { maxLength: arrivalsAtMost }),
  replay: fc.shuffledSubarray(numbers, { minLength: crawls }),
});

const sweepsAmong = (arrivals: number) =>
  fc.array(fc.option(fc.nat(crawls - 1)), { minLength: arrivals, maxLength: arrivals });

/** Batches of so many schedules. */
export const batchOf = (size: number): fc.Arbitrary<Batch> =>
  fc.record({
    schedules: fc.array(schedule, { minLength: size, maxLength: size, size: 'max' }),
    sweeps: fc.record({ arrivals: sweepsAmong(arrivalsAtMost), replay: sweepsAmong(crawls) }),
    atOnce: fc.integer({ min: 1, max: 3 }),
  });

/** What enrolment shows of a registration, by the sequences that it is to come from. */
export interface Shown {
  readonly result: number;
  readonly deleted: boolean;
  readonly error: number | null;
  readonly status: 'success' | 'error';
  readonly freshness: number;
  /** It is to be asked for by name. */
  readonly missed: boolean;
}

/** What is to be shown once these crawls and sweeps have arrived, in whatever order. */
export function newestOf(
  found: Schedule['found'],
  arrived: readonly number[],
  swept: readonly number[],
): Shown {
  const newest = (outcome: Outcome) =>
    Math.max(0, ...arrived.filter((crawl) => found[crawl] === outcome).map(crawlSequence));
  const result = Math.max(firstSequence, newest('crawled'));
  const deletion = newest('deleted');
  const failure = newest('failed');
  const answered = Math.max(result, deletion);
  const sweep = Math.max(0, ...swept.map(sweepSequence));
  return {
    result,
    deleted: deletion > result,
    error: failure || null,
    status: failure > answered ? 'error' : 'success',
    freshness: answered,
    missed: deletion <= result && sweep > Math.max(answered, failure),
  };
}
