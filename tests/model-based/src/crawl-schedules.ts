import fc from 'fast-check';

/** Number of crawls and of sweeps in a schedule, and maximum number of deliveries. */
const crawlCount = 4;
const maxArrivals = 5;

const outcomes = ['crawled', 'deleted', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** The sequence of the first crawl, which creates all registrations before the schedule starts. */
export const firstSequence = 1;

/** Crawls and sweeps alternate: a sweep is newer than the crawl of the same number. */
export const crawlSequence = (crawl: number): number => 10 + 2 * crawl;
export const sweepSequence = (sweep: number): number => 11 + 2 * sweep;

/** First crawls arrive in any order, some repeatedly, some never; then all are replayed. */
export const parts = ['arrivals', 'replay'] as const;
export type Part = (typeof parts)[number];

/** The schedule of one registration: the numbers of the crawls in the order of arrival. */
export interface Schedule extends Readonly<Record<Part, readonly number[]>> {
  /** The outcome that each crawl found; null for none. */
  readonly found: readonly (Outcome | null)[];
}

/** The schedules of all registrations of one provider application, and its sweeps. */
export interface Batch {
  readonly schedules: readonly Schedule[];
  /** Sweeps that saw none of the registrations, as they arrive among the crawls; null for no sweep. */
  readonly sweeps: Readonly<Record<Part, readonly (number | null)[]>>;
  /** Number of events of one registration that are delivered concurrently. */
  readonly concurrency: number;
}

const numbers = Array.from({ length: crawlCount }, (_, number) => number);
const schedule: fc.Arbitrary<Schedule> = fc.record({
  found: fc.array(fc.constantFrom(...outcomes, null), {
    minLength: crawlCount,
    maxLength: crawlCount,
  }),
  arrivals: fc.array(fc.nat(crawlCount - 1), { maxLength: maxArrivals }),
  replay: fc.shuffledSubarray(numbers, { minLength: crawlCount }),
});

const sweepsAmong = (arrivals: number) =>
  fc.array(fc.option(fc.nat(crawlCount - 1)), { minLength: arrivals, maxLength: arrivals });

/** Generates batches of `size` schedules. */
export const batchOf = (size: number): fc.Arbitrary<Batch> =>
  fc.record({
    schedules: fc.array(schedule, { minLength: size, maxLength: size, size: 'max' }),
    sweeps: fc.record({ arrivals: sweepsAmong(maxArrivals), replay: sweepsAmong(crawlCount) }),
    concurrency: fc.integer({ min: 1, max: 3 }),
  });

/** The state of a registration; results and errors are the sequences of their crawls. */
export interface RegistrationView {
  readonly result: number;
  readonly deleted: boolean;
  readonly error: number | null;
  readonly status: 'success' | 'error';
  readonly freshness: number;
  /** Whether a sweep missed the registration, so that it must be crawled by name. */
  readonly missed: boolean;
}

/** Returns the state that must result from these crawls and sweeps in any order. */
export function expectedView(
  found: Schedule['found'],
  arrived: readonly number[],
  swept: readonly number[],
): RegistrationView {
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
