import { createTestDatabase } from '@registrar/testing';
import { once } from 'node:events';
import { compareSystems, type CompareResult, type Round } from '../results.ts';
import type { HttpLoadGenerator } from '../load/http-load.ts';
import type { Comparison } from '../scenario.ts';
import { sizesOf } from '../simulated-provider/population.ts';
import { type ScaleProvider, startScaleProvider } from '../simulated-provider/control.ts';
import { CrawledSystem } from '../system/crawled-system.ts';
import { startDistributed } from '../system/installation.ts';
import { startProgram } from '../system/start-program.ts';

const populations = { short: 50_000, long: 1_000_000 } as const;
const applicationCount = 50;

/** Every so many registrations have changed when the changes are crawled. */
const changeStep = 100;

/** The hosted provider's number of registrations in a page. */
const pageSize = 100;

/** No rate limit is in the way, and each crawl begins when the scenario makes it due. */
const settings = { APPLICATION_CALLS_PER_SECOND: '2000', CRAWL_RATE_PER_SECOND: '1000' } as const;

export const crawl: Comparison = {
  name: 'crawl',
  measures: 'crawls of 50,000 registrations (1,000,000 with --long): all, unchanged, 1 % changed',
  run: async ({ brokerUrl, load }, { long }) => {
    await using resources = new AsyncDisposableStack();
    const population = populations[long ? 'long' : 'short'];
    const sizes = sizesOf(population, applicationCount);
    const count = sum(sizes);
    const pages = sum(sizes.map(pagesOf));
    // A list of several pages is divided, so that what is read is compared with what the provider counts.
    const divisions = 2 * sizes.filter((size) => size > pageSize).length;
    const provider = await startScaleProvider(resources, sizes);
    const crawled = new CrawledSystem(
      await startDistributed(resources, brokerUrl, settings),
      provider,
    );

    const served = await measureProvider(provider, load);
    await provider.report();
    const first = await crawled.measure(
      count,
      () => crawled.addApplications(sizes.length),
      () => crawled.hasStored(count, 0),
    );
    const bare = await measureBare(provider, sizes.length, count);
    await provider.report();
    const unchanged = await crawled.measure(
      count,
      () => crawled.sweep(),
      () => crawled.hasSwept(sizes.length),
    );
    const changedBySize = await provider.change(changeStep);
    const changedCount = sum(changedBySize);
    const changed = await crawled.measure(
      changedCount,
      () => crawled.crawlChanges(),
      () => crawled.hasStored(changedCount, 60),
    );

    // Of few registrations, what does not grow with their number is too large a part for some targets.
    const scenario = (what: string) => `${what} ${count.toLocaleString('en')} registrations`;
    const results: CompareResult[] = [
      compareSystems(
        scenario('first crawl of'),
        'registrations',
        [
          { system: 'distributed', rounds: [first] },
          { system: 'bare loop', rounds: [bare] },
          { system: 'provider alone', rounds: [served] },
          { system: 'pages and divisions', rounds: [{ calls: pages + divisions }] },
        ],
        [
          { figure: 'rate', baseline: 'bare loop', min: 0.4 },
          // The provider must not be what is measured.
          { figure: 'rate', baseline: 'provider alone', max: 0.5 },
          { figure: 'calls', baseline: 'pages and divisions', max: 1.02 },
          { figure: 'growthMb', max: 96 },
        ],
      ),
      compareSystems(
        scenario('sweep, nothing changed, of'),
        'registrations',
        [
          { system: 'distributed', rounds: [unchanged] },
          { system: 'first crawl', rounds: [first] },
        ],
        long ? [{ figure: 'walMb', baseline: 'first crawl', max: 0.01 }] : [],
      ),
      compareSystems(
        scenario('changes, 1 %, of'),
        'registrations',
        [
          { system: 'distributed', rounds: [changed] },
          { system: 'first crawl', rounds: [first] },
          {
            system: 'applications and pages',
            rounds: [{ calls: sizes.length + sum(changedBySize.map(pagesOf)) }],
          },
        ],
        [
          ...(long ? [{ figure: 'seconds', baseline: 'first crawl', max: 0.05 } as const] : []),
          { figure: 'calls', baseline: 'applications and pages', max: 1.2 },
        ],
      ),
    ];
    return results;
  },
};

/** Measures how many registrations a second the provider can list. */
async function measureProvider(provider: ScaleProvider, load: HttpLoadGenerator): Promise<Round> {
  const authorization = `Basic ${Buffer.from('scale-1:unused').toString('base64')}`;
  const url = `${provider.url}/api/v2/registrations`;
  const requests = [{ url, headers: { authorization } }];
  const { rate = NaN } = await load.measure(
    { requests, pace: { connections: 4 }, status: 200 },
    { HTTP: { pids: [provider.pid] } },
  );
  return { rate: rate * pageSize };
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, each) => total + each, 0);

const pagesOf = (registrations: number): number => Math.max(1, Math.ceil(registrations / pageSize));

/** Measures the baseline on a database of its own, which is gone when others are measured. */
async function measureBare(
  provider: ScaleProvider,
  applications: number,
  registrations: number,
): Promise<Round> {
  await using resources = new AsyncDisposableStack();
  const database = resources.adopt(await createTestDatabase(), (each) => each.drop());
  const { child } = await startProgram(resources, 'baselines/crawl-loop', {
    DATABASE_URL: database.url,
    PROVIDER_URL: provider.url,
    PROVIDER_APPLICATIONS: String(applications),
  });
  const startedAt = performance.now();
  child.send('begin');
  await once(child, 'message');
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, rate: registrations / seconds };
}
