import type { BusClient } from '@registrar/bus';
import { createProviderApplication, createRealm, sweepApplications } from '@registrar/contracts';
import { asOperator } from '@registrar/e2e/operator';
import { createTestDatabase, eventually } from '@registrar/testing';
import { once } from 'node:events';
import { compareSystems, type CompareResult, type Round } from '../results.ts';
import type { Comparison } from '../scenario.ts';
import { sizesOf } from '../simulated-provider/population.ts';
import { type ScaleProvider, startScaleProvider } from '../simulated-provider/control.ts';
import { type DistributedSystem, startDistributed } from '../system/installation.ts';
import { residentMemoryOf } from '../system/process-usage.ts';
import { startProgram } from '../system/start-program.ts';

const populations = { short: 50_000, long: 1_000_000 } as const;
const applicationCount = 50;

/** Every so many registrations have changed when the changes are crawled. */
const changeStep = 100;

/** The hosted provider's number of registrations in a page. */
const pageSize = 100;

/** No rate limit is in the way, and each crawl begins when the scenario makes it due. */
const settings = { CRAWL_RATE_PER_SECOND: '1000' } as const;

const timeoutMs = 3_600_000;
const intervalMs = 100;

export const crawl: Comparison = {
  name: 'crawl',
  measures: 'crawls of 50,000 registrations (1,000,000 with --long): all, unchanged, 1 % changed',
  run: async ({ brokerUrl }, { long }) => {
    await using resources = new AsyncDisposableStack();
    const population = populations[long ? 'long' : 'short'];
    const sizes = sizesOf(population, applicationCount);
    const count = sum(sizes);
    const pages = sum(sizes.map(pagesOf));
    const provider = await startScaleProvider(resources, sizes);
    const crawled = new CrawledSystem(
      await startDistributed(resources, brokerUrl, settings),
      provider,
    );

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
          { system: 'pages', rounds: [{ calls: pages }] },
        ],
        [
          { figure: 'rate', baseline: 'bare loop', min: 0.4 },
          { figure: 'calls', baseline: 'pages', max: 1.02 },
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

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, each) => total + each, 0);

const pagesOf = (registrations: number): number => Math.max(1, Math.ceil(registrations / pageSize));

/** The distributed form, whose provider applications are those of the simulated provider. */
class CrawledSystem {
  constructor(
    private readonly started: DistributedSystem,
    private readonly provider: ScaleProvider,
  ) {}

  /** Measures from `begin` until `isDone`. */
  async measure(
    registrations: number,
    begin: () => Promise<void>,
    isDone: () => Promise<boolean>,
  ): Promise<Round> {
    const { database, system } = this.started;
    // So that neither vacuum nor the first change of a page after a checkpoint counts for one phase alone.
    await database.query('VACUUM (ANALYZE)');
    await database.query('CHECKPOINT');
    const before = new Map(system.processes().map((pid) => [pid, residentMemoryOf(pid)]));
    let growthMb = 0;
    const walBefore = await this.walBytes();
    const startedAt = performance.now();
    await begin();
    const done = async () => {
      for (const [pid, memory] of before) {
        growthMb = Math.max(growthMb, residentMemoryOf(pid) - memory);
      }
      return isDone();
    };
    await eventually('the crawl is complete', done, { timeoutMs, intervalMs });
    const seconds = (performance.now() - startedAt) / 1_000;
    const walMb = ((await this.walBytes()) - walBefore) / 1e6;
    const { calls } = await this.provider.report();
    return {
      ...{ seconds, walMb, growthMb, rate: registrations / seconds },
      calls: calls['registrations'] ?? 0,
    };
  }

  addApplications(count: number): Promise<void> {
    return this.asOperator(async (bus) => {
      const { realmGuid } = await bus.request(createRealm, { name: 'crawled' });
      for (let number = 1; number <= count; number += 1) {
        const appId = `scale-${number}`;
        await bus.request(createProviderApplication, {
          ...{ realmGuid, name: appId, appId, baseUrl: this.provider.url, secretKey: 'unused' },
        });
      }
    });
  }

  sweep(): Promise<void> {
    return this.asOperator(async (bus) => void (await bus.request(sweepApplications, {})));
  }

  async crawlChanges(): Promise<void> {
    await this.started.database.query(
      `UPDATE crawler.due_crawls SET due_at = now() WHERE kind = 'changed-registrations'`,
    );
  }

  /** Whether so many registrations of the provider are stored with such a total time. */
  async hasStored(count: number, seconds: number): Promise<boolean> {
    // Counting is expensive, and too early while events are on their way.
    if (await this.has('SELECT FROM crawler.outbox')) return false;
    const dueNow = `due_at <= now() AND kind = 'changed-registrations'`;
    if (await this.has(`SELECT FROM crawler.due_crawls WHERE ${dueNow}`)) return false;
    const { rows } = await this.started.database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM enrolment.registrations
       WHERE result_sequence > 0 AND totaltime = $1 AND starts_with(registration_guid, 'scale-')`,
      [seconds],
    );
    return rows[0]?.count === count;
  }

  /** Whether enrolment has recorded the end of a sweep of so many applications. */
  async hasSwept(applications: number): Promise<boolean> {
    const { rows } = await this.started.database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM enrolment.crawled_applications AS a
       JOIN identity.provider_applications AS p ON p.id = a.provider_application_id
       WHERE a.swept_at IS NOT NULL AND starts_with(p.app_id, 'scale-')`,
    );
    return rows[0]?.count === applications;
  }

  private async has(query: string): Promise<boolean> {
    const { rowCount } = await this.started.database.query(`${query} LIMIT 1`);
    return rowCount !== 0;
  }

  private async walBytes(): Promise<number> {
    const { rows } = await this.started.database.query<{ bytes: number }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`,
    );
    return rows[0]?.bytes ?? 0;
  }

  private asOperator(work: (bus: BusClient) => Promise<void>): Promise<void> {
    return asOperator(this.started.system, work);
  }
}

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
