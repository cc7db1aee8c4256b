import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { coursesSwept, crawlRegistrations, registrationsCrawled } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';

const unavailable = {
  status: 503,
  headers: { 'retry-after': '60' },
  body: { message: 'Back soon.' },
};

describe('a provider application whose calls fail', () => {
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

  it('a provider application whose calls fail is not crawled during its backoff, while other applications are', async () => {
    crawler.provider.intercept = ({ appId }) => (appId === 'app-1' ? unavailable : undefined);
    await crawler.crawlDue();
    expect(crawler.provider.requests.filter(({ appId }) => appId === 'app-1')).toHaveLength(1);
    expect(applicationsOf(await crawler.published(registrationsCrawled))).toEqual([2]);
    expect(applicationsOf(await crawler.published(coursesSwept))).toEqual([2]);
    expect(await crawler.history(1)).toMatchObject([
      { outcome: 'failed', items: 0, error: expect.stringContaining('503 Back soon.') },
    ]);
    expect(await crawler.history(2)).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
  });

  it('a provider application whose calls fail is not called by crawls on demand during its backoff', async () => {
    crawler.provider.intercept = ({ appId }) => (appId === 'app-1' ? unavailable : undefined);
    await crawler.crawlDue();
    const before = crawler.provider.requests.length;
    const crawl = (applicationId: number) =>
      crawler.bus.request(crawlRegistrations, {
        applicationId,
        registrationGuids: [`r${applicationId}`],
      });
    expect((await crawl(1)).outcomes).toEqual([]);
    expect(crawler.provider.requests).toHaveLength(before);
    expect((await crawl(2)).outcomes).toMatchObject([{ outcome: 'crawled' }]);
  });

  it('a provider application whose calls fail is crawled again after its backoff, and its number of failures is reset', async () => {
    crawler.provider.intercept = ({ appId }) => (appId === 'app-1' ? unavailable : undefined);
    await crawler.crawlDue();
    crawler.provider.intercept = () => undefined;
    await crawler.endBackoff();
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.crawlDue();
    expect(applicationsOf(await crawler.published(registrationsCrawled))).toEqual([2, 1]);
    const limit = await crawler.database.one(
      z.object({ failures: z.number() }),
      sql`SELECT failures FROM rate_limits WHERE application_id = 1`,
    );
    expect(limit).toEqual({ failures: 0 });
  });

  it('a provider application whose calls fail is called once with invalid credentials, and its secret is in no log line or history entry', async () => {
    crawler.setSecret(1, 'a-wrong-secret');
    await crawler.crawlDue();
    expect(crawler.provider.requests.filter(({ appId }) => appId === 'app-1')).toHaveLength(1);
    const { backoff } = await crawler.database.one(
      z.object({ backoff: z.number() }),
      sql`SELECT extract(epoch FROM paused_until - now())::float8 AS backoff
          FROM rate_limits WHERE application_id = 1`,
    );
    expect(backoff).toBeGreaterThan(15);
    expect(JSON.stringify([crawler.lines(), await crawler.history(1)])).not.toContain(
      'a-wrong-secret',
    );
  });
});
