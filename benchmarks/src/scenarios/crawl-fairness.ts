import { setTimeout as pause } from 'node:timers/promises';
import { compareSystems, type CompareResult, type Round } from '../results.ts';
import type { Comparison } from '../scenario.ts';
import { type ScaleProvider, startScaleProvider } from '../simulated-provider/control.ts';
import type { Behaviour } from '../simulated-provider/faults.ts';
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
const samplingMs = 50;

/** Lateness below this is that of a replica that looks for work every second: seconds. */
const unavoidableLateness = 0.25;

const faults: Readonly<Record<string, Partial<Behaviour>>> = {
  '500': { errors: 1 },
  '429': { limitPerSecond: 1e-9 },
  garbage: { malformed: 1 },
  'no response': { isSilent: true },
};
const healthy: Partial<Behaviour> = { errors: 0, limitPerSecond: 0, malformed: 0, isSilent: false };

/** The application that fails. */
const faulty = 'scale-2';

export const crawlFairness: Comparison = {
  name: 'crawl-fairness',
  measures:
    'lateness and calls beside an application of 900,000 registrations, and beside a faulty one',
  run: async ({ brokerUrl }) => {
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
    await provider.report();

    const [alone, creates] = await Promise.all([
      watch(started, provider),
      measureCreates(access, watchMs),
    ]);
    const results = [
      compareSystems(
        `latest of ${applicationCount - 1} small applications beside one of 900,000, interval ${interval} s`,
        'crawls',
        [{ system: 'distributed', rounds: [{ seconds: alone.latest }] }],
        [{ figure: 'seconds', max: interval }],
      ),
      compareSystems(
        `calls of one application in any second, 4 replicas and creates, limit ${limit}`,
        'calls',
        [{ system: 'distributed', rounds: [{ calls: alone.mostInSecond }] }],
        [{ figure: 'calls', max: limit }],
      ),
      compareSystems(
        `calls of one application in any minute, 4 replicas and creates, limit ${60 * limit}`,
        'calls',
        [{ system: 'distributed', rounds: [{ calls: alone.mostInMinute }] }],
        [{ figure: 'calls', max: 60 * limit }],
      ),
      compareSystems(
        'registration create during a first crawl',
        'requests',
        [{ system: 'distributed', rounds: [creates] }],
        [{ figure: 'p99Ms', max: 250 }],
      ),
    ];
    for (const [fault, behaviour] of Object.entries(faults)) {
      await provider.behave(behaviour, faulty);
      await pause(interval * 1_000);
      const beside = await watch(started, provider);
      await provider.behave(healthy, faulty);
      results.push(compareLateness(fault, beside, alone));
    }
    return results;
  },
};

/** How late crawls of changes of the healthy small applications began: seconds. */
interface Watched {
  readonly latest: number;
  readonly mean: number;
  readonly mostInSecond: number;
  readonly mostInMinute: number;
}

function compareLateness(fault: string, beside: Watched, alone: Watched): CompareResult {
  const round = ({ mean }: Watched): Round => ({ seconds: Math.max(mean, unavoidableLateness) });
  return compareSystems(
    `lateness of small applications beside one that responds with ${fault}`,
    'crawls',
    [
      { system: 'distributed', rounds: [round(beside)] },
      { system: 'no fault', rounds: [round(alone)] },
    ],
    [{ figure: 'seconds', baseline: 'no fault', max: 1.1 }],
  );
}

/** Samples how late crawls of changes are. A crawl is as late as its last sample before it began. */
async function watch({ database }: DistributedSystem, provider: ScaleProvider): Promise<Watched> {
  await provider.report();
  const last = new Map<number, number>();
  const lateness: number[] = [];
  const until = performance.now() + watchMs;
  while (performance.now() < until) {
    const { rows } = await database.query<{ id: number; seconds: number }>(
      `SELECT d.application_id::integer AS id,
              greatest(0, extract(epoch FROM clock_timestamp() - d.due_at))::float8 AS seconds
       FROM crawler.due_crawls AS d
       JOIN identity.provider_applications AS p ON p.id = d.application_id
       WHERE d.kind = 'changed-registrations' AND d.due_at <> 'infinity'
         AND p.app_id LIKE 'scale-%' AND p.app_id NOT IN ('scale-1', '${faulty}')`,
    );
    for (const { id, seconds } of rows) {
      const before = last.get(id) ?? 0;
      if (before > 0 && seconds < before) lateness.push(before);
      last.set(id, seconds);
    }
    await pause(samplingMs);
  }
  const { mostInSecond, mostInMinute } = await provider.report();
  const mean = lateness.reduce((sum, each) => sum + each, 0) / lateness.length;
  return { latest: Math.max(...lateness, ...last.values()), mean, mostInSecond, mostInMinute };
}
