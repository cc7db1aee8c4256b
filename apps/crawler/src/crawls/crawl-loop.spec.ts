import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { accessChanged, registrationLaunched } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { stepTime } from '@registrar/persistence/testing';
import { clock } from '@registrar/platform';
import { eventually, type SimulatedRequest } from '@registrar/testing';
import { type CrawlerFixture, type Replica, startCrawlerFixture } from '../crawler.fixture.ts';
import { drainTimeoutMs } from './crawl-loop.ts';

describe('a running crawler', () => {
  let crawler: CrawlerFixture;
  const replicas: Replica[] = [];

  beforeAll(async () => {
    crawler = await startCrawlerFixture({ CRAWL_INTERVAL_SECONDS: 1 });
  });
  beforeEach(() => crawler.reset());
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
  });
  afterAll(() => crawler.stopAll());

  /** Starts a replica with a crawl loop and periodic tasks, until the end of the test. */
  const start = async (options: { alone?: boolean } = {}) => {
    const replica = await crawler.startReplica({ loops: true, ...options });
    replicas.push(replica);
    return replica;
  };

  /** Stops a replica while a crawl of it goes on, whose time to end is over at once. */
  const stopDuringCrawl = async (replica: Replica) => {
    const sleep = vi.spyOn(clock, 'sleep');
    const stopped = replica.stop();
    await eventually('the replica waits for its crawl', () =>
      sleep.mock.calls.some(([ms]) => ms === drainTimeoutMs),
    );
    await stepTime(drainTimeoutMs / 1_000, crawler.database);
    await stopped;
  };

  const requestOf = (applicationId: number, path: string) => (request: SimulatedRequest) =>
    request.appId === `app-${applicationId}` && request.path === path;

  /** Starts a replica with a crawl that waits for the provider's response. */
  const startCrawl = async () => {
    crawler.addApplication(1);
    await crawler.refresh();
    const responses = crawler.holdResponses(requestOf(1, 'registrations'));
    const requested = crawler.requestArrives(requestOf(1, 'registrations'));
    const replica = await start();
    await requested;
    return { replica, responses };
  };

  it('crawls the applications of the identity context as soon as that context is reachable', async () => {
    crawler.addApplication(1);
    const requested = crawler.requestArrives(requestOf(1, 'registrations'));
    const replica = await start({ alone: true });
    expect(crawler.provider.requests).toEqual([]);
    await replica.startIdentity();
    await requested;
  });

  it('crawls a new provider application at once when identity publishes access-changed', async () => {
    const replica = await start();
    const account = crawler.addApplication(1);
    account.addRegistration('a', 'swimming');
    const requested = crawler.requestArrives(requestOf(1, 'registrations'));
    await replica.publish(accessChanged, { realmId: 7 });
    await requested;
  });

  it('crawls a registration after enrolment publishes its launch', async () => {
    crawler.addApplication(1).addRegistration('a', 'swimming');
    crawler.account(1).change('a', { updated: '2026-01-01T00:00:00.000Z' });
    const listRequested = crawler.requestArrives(requestOf(1, 'registrations'));
    const replica = await start();
    await listRequested;
    const requested = crawler.requestArrives(requestOf(1, 'registrations/a'));
    const launch = { applicationId: 1, registrationGuid: 'a', courseGuid: 'swimming' };
    await replica.publish(registrationLaunched, { ...launch, at: '2026-03-01T12:00:00Z' });
    await requested;
  });

  it('shares the applications among replicas, each crawled by one replica at a time', async () => {
    crawler.provider.pageSize = 1;
    const guids = ['a', 'b', 'c', 'd'];
    for (let id = 1; id <= 6; id += 1) {
      const account = crawler.addApplication(id);
      guids.forEach((guid) => account.addRegistration(guid, 'swimming'));
    }
    await crawler.refresh();
    const concurrent = new Map<string, number>();
    let maxConcurrent = 0;
    const done = new Promise<void>((resolve) => {
      const finished = new Set<string>();
      crawler.provider.intercept = async ({ appId, query, path }) => {
        concurrent.set(appId, (concurrent.get(appId) ?? 0) + 1);
        maxConcurrent = Math.max(maxConcurrent, ...concurrent.values());
        // Lets the other requests run while this one waits.
        await new Promise((next) => setImmediate(next));
        concurrent.set(appId, (concurrent.get(appId) ?? 0) - 1);
        if (path === 'registrations' && query.has('more')) finished.add(appId);
        if (finished.size === 6) resolve();
        return undefined;
      };
    });
    const both = await Promise.all([start(), start()]);
    await done;
    await Promise.all(both.map((replica) => replica.stop()));
    expect(maxConcurrent).toBe(1);
  });

  it('finishes a running crawl before it stops', async () => {
    const { replica, responses } = await startCrawl();
    const stopped = replica.stop();
    responses.release();
    await stopped;
    expect((await crawler.history(1)).map((crawl) => crawl.kind)).toContain(
      'changed-registrations',
    );
  });

  it('stops while the database releases no lease', async () => {
    const { replica, responses } = await startCrawl();
    const [locked, unlock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lock = crawler.database.transaction(async () => {
      await crawler.database.execute(sql`SELECT FROM applications FOR UPDATE`);
      locked.resolve();
      await unlock.promise;
    });
    await locked.promise;
    await stopDuringCrawl(replica);
    unlock.resolve();
    await lock;
    responses.release();
  });

  it('releases an unfinished crawl when it stops, so that another replica claims it at once', async () => {
    const { replica, responses } = await startCrawl();
    expect(await crawler.claim()).toBeNull();
    await stopDuringCrawl(replica);
    expect(await crawler.claim()).toMatchObject({ applicationId: 1 });
    responses.release();
  });
});
