import { setTimeout as pause } from 'node:timers/promises';
import { compareSystems, type CompareResult, type Round } from '../results.ts';
import type { Comparison } from '../scenario.ts';
import { type ScaleProvider, startScaleProvider } from '../simulated-provider/control.ts';
import type { Behavior } from '../simulated-provider/faults.ts';
import { ApiAccess } from '../system/api-access.ts';
import { measureCreates } from '../system/measure-creates.ts';
import { CrawledSystem } from '../system/crawled-system.ts';
import { addCrawlerReplicas } from '../system/crawler-replicas.ts';
import { type DistributedSystem, startDistributed } from '../system/installation.ts';

const applicationCount = 20;
const largest = 900_000;
const small = 10;

const replicaCount = 4;

/** The interval of crawls of changes: seconds. */
const interval = 5;

/** The most calls of one application in any second. */
const limit = 20;

const settings = {
  APPLICATION_CALLS_PER_SECOND: String(limit),
  CRAWL_RATE_PER_SECOND: String(limit),
  CRAWL_INTERVAL_SECONDS: String(interval),
} as const;

/** How long the crawls are watched without a fault, and with each: milliseconds. */
const watchMs = 60_000;
const faultMs = { short: 20_000, long: 60_000 } as const;
const samplingMs = 50;

/** Smaller differences of mean lateness do not count: replicas look for work every second. In seconds. */
const negligible = 0.25;

/** Each fault is that of an application of its own, so that none waits for what it did before. */
const faults: readonly { name: string; appId: string; behavior: Partial<Behavior> }[] = [
  { name: '500', appId: 'scale-2', behavior: { errors: 1 } },
  { name: '429', appId: 'scale-3', behavior: { limitPerSecond: 1e-9 } },
  { name: 'garbage', appId: 'scale-4', behavior: { malformed: 1 } },
  { name: 'nothing', appId: 'scale-5', behavior: { isSilent: true } },
];

const healthy: Partial<Behavior> = { errors: 0, limitPerSecond: 0, malformed: 0, isSilent: false };

/** Small applications without a fault, whose lateness is compared. */
const healthyCount = applicationCount - 1 - faults.length;

export const crawlFairness: Comparison = {
  name: 'crawl-fairness',
  measures:
    'lateness and calls beside an application of 900,000 registrations, and beside a faulty one',
  run: async ({ brokerUrl }, { long }) => {
    await using resources = new AsyncDisposableStack();
    const sizes = [largest, ...Array<number>(applicationCount - 1).fill(small)];
    const provider = await startScaleProvider(resources, sizes);
    await provider.behave({ latencyMs: 20 });
    const started = await startDistributed(resources, brokerUrl, settings);
    await addCrawlerReplicas(resources, started, replicaCount - 1, settings);
    const pair = await new CrawledSystem(started, provider).addApplications(sizes.length);
    const access = await ApiAccess.create(started.system.quickstart, pair);
    // The first crawls of the small ones.
    await pause(2 * interval * 1_000);
    const [alone, creates] = await Promise.all([
      watch(started, provider, watchMs),
      measureCreates(access, watchMs),
    ]);
    const { mostInSecond, mostInMinute } = await provider.report();
    const results = [
      compareSystems(
        `latest of ${healthyCount} small applications beside one of 900,000, interval ${interval} s`,
        'crawls',
        [{ system: 'distributed', rounds: [{ seconds: alone.latest }] }],
        [{ figure: 'seconds', max: interval }],
      ),
      compareSystems(
        `calls of one application in any second, 4 replicas and creates, limit ${limit}`,
        'calls',
        [{ system: 'distributed', rounds: [{ calls: mostInSecond }] }],
        [{ figure: 'calls', max: limit }],
      ),
      compareSystems(
        `calls of one application in any minute, 4 replicas and creates, limit ${60 * limit}`,
        'calls',
        [{ system: 'distributed', rounds: [{ calls: mostInMinute }] }],
        // Crawls may use three quarters of the limit, and refill 81 % of that.
        [{ figure: 'calls', min: 0.7 * 60 * limit * 0.75 * 0.81, max: 60 * limit }],
      ),
      compareSystems(
        'registration create during a first crawl',
        'requests',
        [{ system: 'distributed', rounds: [creates] }],
        [{ figure: 'p99Ms', max: 250 }],
      ),
    ];
    // As long as with a fault, and without creates too.
    const durationMs = faultMs[long ? 'long' : 'short'];
    const quiet = await watch(started, provider, durationMs);
    for (const { name, appId, behavior } of faults) {
      await provider.report();
      await provider.behave(behavior, appId);
      const beside = await watch(started, provider, durationMs);
      await provider.behave(healthy, appId);
      const { applications } = await provider.report();
      if (!applications[appId]) throw new Error(`${appId} was not called while it failed`);
      if (!applications['scale-1']) throw new Error('the large application was not crawled');
      results.push(compareLateness(name, beside, quiet));
    }
    return results;
  },
};

/** How late crawls of changes of the healthy small applications began: seconds. */
interface Lateness {
  readonly latest: number;
  /** The mean over the applications of the mean of each. */
  readonly mean: number;
}

function compareLateness(fault: string, beside: Lateness, quiet: Lateness): CompareResult {
  const round = ({ mean }: Lateness): Round => ({ seconds: mean });
  return compareSystems(
    `mean lateness of small applications beside one that responds with ${fault}`,
    'crawls',
    [
      { system: 'distributed', rounds: [round(beside)] },
      { system: 'no fault', rounds: [round(quiet)] },
    ],
    [
      {
        figure: 'seconds',
        baseline: 'no fault',
        isDifference: true,
        max: Math.max(negligible, quiet.mean / 10),
      },
    ],
  );
}

/** Samples how late crawls of changes begin. */
async function watch(
  { database }: DistributedSystem,
  provider: ScaleProvider,
  durationMs: number,
): Promise<Lateness> {
  // Something has changed in each application: otherwise intervals grow, and there are few crawls.
  await provider.change(largest);
  const crawls = new Map<number, Map<string, number>>();
  const until = performance.now() + durationMs;
  while (performance.now() < until) {
    // A crawl is late until it has begun. A crawl that began between samples has the lateness of the last one.
    const { rows } = await database.query<{ id: number; dueAt: string; seconds: number }>(
      `SELECT d.application_id::integer AS id, d.due_at::text AS "dueAt",
              extract(epoch FROM
                CASE WHEN d.last_served_at >= d.due_at THEN d.last_served_at ELSE clock_timestamp() END
                - d.due_at)::float8 AS seconds
       FROM crawler.due_crawls AS d
       JOIN identity.provider_applications AS p ON p.id = d.application_id
       WHERE d.kind = 'changed-registrations' AND d.due_at <= clock_timestamp()
         AND p.app_id LIKE 'scale-%' AND p.app_id <> 'scale-1' AND p.app_id <> ALL ($1)`,
      [faults.map(({ appId }) => appId)],
    );
    for (const { id, dueAt, seconds } of rows) {
      const application = crawls.get(id) ?? new Map<string, number>();
      crawls.set(id, application.set(dueAt, seconds));
    }
    await pause(samplingMs);
  }
  if (crawls.size < healthyCount) throw new Error(`only ${crawls.size} applications were crawled`);
  const lateness = [...crawls.values()].map((application) => [...application.values()]);
  return { latest: Math.max(...lateness.flat()), mean: meanOf(lateness.map(meanOf)) };
}

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
