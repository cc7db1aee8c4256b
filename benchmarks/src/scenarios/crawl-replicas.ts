import { eventually } from '@registrar/testing';
import { compareSystems, type CompareResult, type Round } from '../results.ts';
import type { Comparison } from '../scenario.ts';
import { startScaleProvider } from '../simulated-provider/control.ts';
import { CrawledSystem } from '../system/crawled-system.ts';
import { addCrawlerReplicas } from '../system/crawler-replicas.ts';
import { startDistributed } from '../system/installation.ts';

/** How long each call of the provider takes. */
const latencyMs = 200;

/** The part of a crawl that is measured: its first registrations. */
const measuredParts = { short: 20_000, long: 60_000 } as const;

/** Lists of this size are not divided, so that replicas share applications alone. */
const undivided = 10_000;
const divided = 900_000;

/** What is settled of an undivided list, and what still changes. */
const windowsOfUndivided = 2;

const replicaCount = 4;

/**
 * No rate limit is in the way. Each replica crawls one application or window at a time, so that the latency of
 * the provider limits one replica, and not the two processors that all processes here share.
 */
const settings = {
  APPLICATION_CALLS_PER_SECOND: '2000',
  CRAWL_RATE_PER_SECOND: '1000',
  CRAWL_CONCURRENCY: '1',
} as const;

const timeoutMs = 600_000;

export const crawlReplicas: Comparison = {
  name: 'crawl-replicas',
  measures: 'crawls with 4 replicas and with 1, of a provider that takes 200 ms for each call',
  run: async ({ brokerUrl }, { long }) => {
    const measured = measuredParts[long ? 'long' : 'short'];
    const results: CompareResult[] = [];
    for (const { applications, size, min } of [
      { applications: 8, size: undivided, min: 3 },
      { applications: 1, size: divided, min: 2.5 },
    ]) {
      const sizes = Array<number>(applications).fill(size);
      const one = await measureReplicas(brokerUrl, { sizes, measured, replicas: 1 });
      const four = await measureReplicas(brokerUrl, { sizes, measured, replicas: replicaCount });
      const what = `${applications} application${applications > 1 ? 's' : ''} of ${size.toLocaleString('en')}`;
      results.push(
        compareSystems(
          `first ${measured.toLocaleString('en')} of ${what}, ${replicaCount} replicas`,
          'registrations',
          [
            { system: 'distributed', rounds: [four] },
            { system: 'one replica', rounds: [one] },
          ],
          [{ figure: 'rate', baseline: 'one replica', min }],
        ),
      );
    }
    return results;
  },
};

interface Crawl {
  readonly sizes: readonly number[];
  /** How many registrations are stored when the measurement ends. */
  readonly measured: number;
  readonly replicas: number;
}

/** Measures the beginning of a first crawl on a system of its own. */
async function measureReplicas(
  brokerUrl: string,
  { sizes, measured, replicas }: Crawl,
): Promise<Round> {
  await using resources = new AsyncDisposableStack();
  const provider = await startScaleProvider(resources, sizes);
  await provider.behave({ latencyMs });
  const started = await startDistributed(resources, brokerUrl, settings);
  await addCrawlerReplicas(resources, started, replicas - 1, settings);
  const crawled = new CrawledSystem(started, provider);
  const startedAt = performance.now();
  await crawled.addApplications(sizes.length);
  await eventually(
    'the beginning is stored',
    async () => (await crawled.countStored()) >= measured,
    { timeoutMs, intervalMs: 100 },
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const { calls } = await provider.report();
  const isDivided = (await crawled.countWindows()) > windowsOfUndivided * sizes.length;
  if (isDivided !== sizes.includes(divided)) throw new Error('windows differ from those expected');
  return { seconds, rate: measured / seconds, calls: calls['registrations'] ?? 0 };
}
