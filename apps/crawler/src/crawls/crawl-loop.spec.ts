import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accessChanged, registrationLaunched } from '#libs/contracts';
import { type SimulatedRequest } from '#libs/testing';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';

describe('a running crawler', () => {
  let crawler: CrawlerFixture;

  beforeEach(async () => {
    crawler = await startCrawlerFixture({ CRAWL_INTERVAL_SECONDS: 1 });
  });
  afterEach(() => crawler.stopAll());

  const by = (applicationId: number, path: string) => (request: SimulatedRequest) =>
    request.appId === `app-${applicationId}` && request.path === path;

  it('crawls what identity has, as soon as identity answers', async () => {
    crawler.addApplication(1);
    const isAsked = crawler.asked(by(1, 'registrations'));
    const replica = await crawler.startReplica({ loops: true, alone: true });
    expect(crawler.provider.requests).toEqual([]);
    await replica.startIdentity();
    await isAsked;
  });

  it('crawls a new provider application at once when identity tells of it', async () => {
    const replica = await crawler.startReplica({ loops: true });
    const account = crawler.addApplication(1);
    account.addRegistration('a', 'swimming');
    const isAsked = crawler.asked(by(1, 'registrations'));
    await replica.publish(accessChanged, { realmId: 7 });
    await isAsked;
  });

  it('asks for a registration that enrolment says is launched', async () => {
    crawler.addApplication(1).addRegistration('a', 'swimming');
    crawler.account(1).change('a', { updated: '2026-01-01T00:00:00.000Z' });
    const isListed = crawler.asked(by(1, 'registrations'));
    const replica = await crawler.startReplica({ loops: true });
    await isListed;
    const isAsked = crawler.asked(by(1, 'registrations/a'));
    const launch = { applicationId: 1, registrationGuid: 'a', courseGuid: 'swimming' };
    await replica.publish(registrationLaunched, { ...launch, at: '2026-03-01T12:00:00Z' });
    await isAsked;
  });

  it('shares the work of many applications, each crawled by one replica at a time', async () => {
    crawler.provider.pageSize = 1;
    const guids = ['a', 'b', 'c', 'd'];
    for (let id = 1; id <= 6; id += 1) {
      const account = crawler.addApplication(id);
      guids.forEach((guid) => account.addRegistration(guid, 'swimming'));
    }
    await crawler.refresh();
    const atWork = new Map<string, number>();
    let most = 0;
    const done = new Promise<void>((resolve) => {
      const finished = new Set<string>();
      crawler.provider.intercept = async ({ appId, query, path }) => {
        atWork.set(appId, (atWork.get(appId) ?? 0) + 1);
        most = Math.max(most, ...atWork.values());
        // The others get their turn while this one waits.
        await new Promise((next) => setImmediate(next));
        atWork.set(appId, (atWork.get(appId) ?? 0) - 1);
        if (path === 'registrations' && query.has('more')) finished.add(appId);
        if (finished.size === 6) resolve();
        return undefined;
      };
    });
    const replicas = await Promise.all([
      crawler.startReplica({ loops: true }),
      crawler.startReplica({ loops: true }),
    ]);
    await done;
    await Promise.all(replicas.map((replica) => replica.stop()));
    expect(most).toBe(1);
  });

  it('finishes what it has begun before it stops', async () => {
    crawler.addApplication(1);
    await crawler.refresh();
    const hold = crawler.holdBack(by(1, 'registrations'));
    const isAsked = crawler.asked(by(1, 'registrations'));
    const replica = await crawler.startReplica({ loops: true });
    await isAsked;
    const stopped = replica.stop();
    hold.release();
    await stopped;
    expect((await crawler.history(1)).map((crawl) => crawl.kind)).toContain(
      'changed-registrations',
    );
  });

  it('gives back what does not end, for another replica to begin at once', async () => {
    crawler.addApplication(1);
    await crawler.refresh();
    const hold = crawler.holdBack(by(1, 'registrations'));
    const isAsked = crawler.asked(by(1, 'registrations'));
    const replica = await crawler.startReplica({ loops: true });
    await isAsked;
    expect(await crawler.claim()).toBeNull();
    await replica.stop();
    expect(await crawler.claim()).toMatchObject({ applicationId: 1 });
    hold.release();
  });
});
