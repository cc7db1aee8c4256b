import { eventually } from '@registrar/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { compareSystems } from '../results.ts';
import type { Comparison } from '../scenario.ts';
import { startScaleProvider } from '../simulated-provider/control.ts';
import { CrawledSystem } from '../system/crawled-system.ts';
import { endCrawlerReplica, startCrawlerReplica } from '../system/crawler-replicas.ts';
import { startDistributed } from '../system/installation.ts';

const sizes = [150_000, 10_000, ...Array<number>(8).fill(10)];
const registrations = sizes.reduce((sum, size) => sum + size, 0);

/** The provider is slow enough for the crawl to last as long as the kills. */
const latencyMs = 400;

const settings = {
  APPLICATION_CALLS_PER_SECOND: '2000',
  CRAWL_RATE_PER_SECOND: '1000',
  CRAWL_CONCURRENCY: '2',
} as const;

/** A replica is killed and replaced so often, in turn: milliseconds. */
const killPauseMs = 3_000;
const kills = 40;

/** A replica is frozen for longer than its leases last. */
const frozenMs = 20_000;

const timeoutMs = 900_000;

export const crawlKills: Comparison = {
  name: 'crawl-kills',
  measures: 'a first crawl whose replicas are killed every 3 s for 2 minutes, and frozen',
  run: async ({ brokerUrl }) => {
    await using resources = new AsyncDisposableStack();
    const provider = await startScaleProvider(resources, sizes);
    await provider.behave({ latencyMs });
    const started = await startDistributed(resources, brokerUrl, settings);
    const start = () => startCrawlerReplica(started, settings);
    const replicas = [await start(), await start(), await start()];
    const frozen = await start();
    resources.defer(async () => {
      for (const replica of [...replicas, frozen]) await endCrawlerReplica(replica, 'SIGKILL');
    });
    const crawled = new CrawledSystem(started, provider);
    await crawled.addApplications(sizes.length);

    frozen.kill('SIGSTOP');
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(killPauseMs);
      const place = kill % replicas.length;
      const replica = replicas[place];
      if (replica) await endCrawlerReplica(replica, 'SIGKILL');
      replicas[place] = await start();
      // Between the kills, it goes on with what it held.
      if (kill === Math.floor(frozenMs / killPauseMs)) frozen.kill('SIGCONT');
    }
    await eventually('the crawl is complete', () => crawled.hasStored(registrations, 0), {
      timeoutMs,
      intervalMs: 500,
    });
    const { rows } = await started.database.query<{ inserted: number; updated: number }>(
      `SELECT n_tup_ins::integer AS inserted, n_tup_upd::integer AS updated
       FROM pg_stat_user_tables WHERE schemaname = 'enrolment' AND relname = 'registrations'`,
    );
    const { inserted = 0, updated = 0 } = rows[0] ?? {};
    const { calls } = await provider.report();
    const pages = sizes.reduce((sum, size) => sum + Math.ceil(size / 100), 0);
    return [
      compareSystems(
        `first crawl of ${registrations.toLocaleString('en')} with ${kills} kills: rows inserted and updated`,
        'rows',
        [
          { system: 'distributed', rounds: [{ rate: inserted, seconds: updated }] },
          { system: 'registrations', rounds: [{ rate: registrations }] },
        ],
        [
          { figure: 'rate', baseline: 'registrations', max: 1.001 },
          // A page of two windows may list a registration that belongs to both.
          { figure: 'seconds', max: registrations / 1_000 },
        ],
      ),
      compareSystems(
        `calls of lists with ${kills} kills`,
        'calls',
        [
          { system: 'distributed', rounds: [{ calls: calls['registrations'] ?? 0 }] },
          { system: 'pages', rounds: [{ calls: pages }] },
        ],
        [{ figure: 'calls', baseline: 'pages', max: 1.2 }],
      ),
    ];
  },
};
