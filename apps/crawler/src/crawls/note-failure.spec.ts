import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { coursesSwept, crawlRegistrations, registrationsCrawled } from '#libs/contracts';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';

const away = { status: 503, headers: { 'retry-after': '60' }, body: { message: 'Back soon.' } };

describe('a provider application that fails', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture();
  });
  beforeEach(async () => {
    await crawler.reset();
    for (const id of [1, 2]) crawler.addApplication(id).addRegistration(`r${id}`, 'swimming');
    await crawler.refresh();
  });
  afterAll(() => crawler.stopAll());

  const applicationsOf = (events: { applicationId: number }[]) =>
    events.map((event) => event.applicationId);

  it('is left alone for a while, and the others are not', async () => {
    crawler.provider.intercept = ({ appId }) => (appId === 'app-1' ? away : undefined);
    await crawler.crawlDue();
    expect(crawler.provider.requests.filter(({ appId }) => appId === 'app-1')).toHaveLength(1);
    expect(applicationsOf(await crawler.published(registrationsCrawled))).toEqual([2]);
    expect(applicationsOf(await crawler.published(coursesSwept))).toEqual([2]);
    expect(await crawler.history(1)).toMatchObject([
      { outcome: 'failed', items: 0, error: expect.stringContaining('503 Back soon.') },
    ]);
    expect(await crawler.history(2)).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
  });

  it('is not called for those who wait, either', async () => {
    crawler.provider.intercept = ({ appId }) => (appId === 'app-1' ? away : undefined);
    await crawler.crawlDue();
    const before = crawler.provider.requests.length;
    const ask = (applicationId: number) =>
      crawler.bus.request(crawlRegistrations, {
        applicationId,
        registrationGuids: [`r${applicationId}`],
      });
    expect((await ask(1)).outcomes).toEqual([]);
    expect(crawler.provider.requests).toHaveLength(before);
    expect((await ask(2)).outcomes).toMatchObject([{ outcome: 'crawled' }]);
  });

  it('is crawled as before once it is well', async () => {
    crawler.provider.intercept = ({ appId }) => (appId === 'app-1' ? away : undefined);
    await crawler.crawlDue();
    crawler.provider.intercept = () => undefined;
    await crawler.passTime();
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.crawlDue();
    expect(applicationsOf(await crawler.published(registrationsCrawled))).toEqual([2, 1]);
    const [limit] = await crawler.database.query(
      'SELECT failures FROM rate_limits WHERE application_id = 1',
    );
    expect(limit).toEqual({ failures: 0 });
  });

  it('does not spin with credentials that are wrong, and tells no secret', async () => {
    crawler.setSecret(1, 'a-wrong-secret');
    await crawler.crawlDue();
    expect(crawler.provider.requests.filter(({ appId }) => appId === 'app-1')).toHaveLength(1);
    const [limit] = await crawler.database.query<{ pause: number }>(
      `SELECT extract(epoch FROM paused_until - now())::float8 AS pause
       FROM rate_limits WHERE application_id = 1`,
    );
    expect(limit?.pause).toBeGreaterThan(15);
    expect(JSON.stringify([crawler.lines(), await crawler.history(1)])).not.toContain(
      'a-wrong-secret',
    );
  });
});
