import {
  crawlerAudited,
  crawlNow,
  listCrawls,
  registrationsCrawled,
  sweepApplications,
} from '@registrar/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';

describe('full sweeps on request', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture();
  });
  beforeEach(async () => {
    await crawler.reset();
    crawler.provider.pageSize = 1;
    for (const id of [1, 2]) {
      const account = crawler.addApplication(id);
      for (const guid of ['a', 'b']) account.addRegistration(guid, 'swimming');
    }
    await crawler.refresh();
    await crawler.crawlDue();
    await crawler.clearOutbox();
  });
  afterAll(() => crawler.stopAll());

  const request = () => crawler.bus.request(sweepApplications, {});
  const sweeps = async () => {
    const pages = [];
    for await (const { items: page } of crawler.bus.pages(listCrawls, { applications: null }))
      pages.push(...page);
    return pages;
  };
  const sweptGuids = async () =>
    (await crawler.published(registrationsCrawled)).flatMap(({ applicationId, outcomes }) =>
      outcomes.map(({ registrationGuid }) => `${applicationId} ${registrationGuid}`),
    );
  const time = expect.stringMatching(/^20.*Z$/);

  it('full sweeps on request read all registrations and courses of every application', async () => {
    expect(await request()).toEqual({ applications: 2 });
    await crawler.crawlDue();
    expect((await sweptGuids()).toSorted()).toEqual(['1 a', '1 b', '2 a', '2 b']);
    expect((await crawler.history(1)).slice(-2)).toEqual([
      expect.objectContaining({ kind: 'courses', outcome: 'done', items: 1 }),
      expect.objectContaining({ kind: 'all-registrations', outcome: 'done', items: 2 }),
    ]);
  });

  it('full sweeps on request are listed from when they are due until they are done', async () => {
    expect(await sweeps()).toMatchObject([
      { application: 1, registrations: 'waiting', registrations_at: null, courses: 'done' },
      { application: 2, registrations: 'waiting', registrations_at: null, courses: 'done' },
    ]);
    await request();
    expect(await sweeps()).toMatchObject([
      { registrations: 'due', courses: 'due' },
      { registrations: 'due', courses: 'due' },
    ]);
    const claim = await crawler.claim();
    if (claim) await crawler.perform(claim);
    expect(await sweeps()).toMatchObject([{ registrations: 'running' }, { registrations: 'due' }]);
    await crawler.crawlDue();
    const done = {
      state: 'idle',
      late_seconds: 0,
      changes_at: time,
      running: null,
      items: null,
      expected: null,
      windows: null,
      rate: 1_000,
      error: null,
      registrations: 'done',
      registrations_at: time,
      courses: 'done',
      courses_at: time,
    };
    expect(await sweeps()).toMatchObject([
      { application: 1, ...done },
      { application: 2, ...done },
    ]);
  });

  it('full sweeps on request show the crawl in progress, and how much the crawl before has read', async () => {
    await crawler.makeDue(1, 'all-registrations');
    const claim = await crawler.claim();
    expect((await sweeps())[0]).toMatchObject({ state: 'crawling', running: null });
    if (claim) await crawler.perform(claim);
    expect((await sweeps())[0]).toMatchObject({
      state: 'crawling',
      running: 'all-registrations',
      items: 1,
      expected: 2,
    });
  });

  it('full sweeps on request replace a sweep in progress, whose replica writes nothing more', async () => {
    await crawler.makeDue(1, 'all-registrations');
    const first = await crawler.claim();
    if (first) await crawler.perform(first);
    const second = await crawler.claim();
    expect(second).toMatchObject({ applicationId: 1, items: 1 });
    await crawler.clearOutbox();
    await request();
    if (second) await crawler.perform(second);
    expect(await sweptGuids()).toEqual([]);
    await crawler.crawlDue();
    expect((await sweptGuids()).filter((each) => each.startsWith('1'))).toEqual(['1 a', '1 b']);
  });

  it('a full sweep of one application leaves the others alone', async () => {
    await crawler.bus.request(crawlNow, { application: 2, sweep: true });
    expect(await sweeps()).toMatchObject([{ registrations: 'waiting' }, { registrations: 'due' }]);
    await expect(crawler.bus.request(crawlNow, { application: 9, sweep: true })).rejects.toThrow(
      'the crawler knows no such application',
    );
  });

  it('full sweeps on request are not made for a crawl of changes, which becomes due alone', async () => {
    await crawler.bus.request(crawlNow, { application: 1, sweep: false });
    const kinds = (await crawler.crawlDue()).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['changed-registrations']));
    await expect(crawler.bus.request(crawlNow, { application: 9, sweep: false })).rejects.toThrow(
      'the crawler knows no such application',
    );
  });

  it('requested crawls are in the audit log, and those of an unknown application are not', async () => {
    await request();
    for (const sweep of [false, true]) {
      await crawler.bus.request(crawlNow, { application: 1, sweep });
      await expect(crawler.bus.request(crawlNow, { application: 9, sweep })).rejects.toThrow();
    }
    const acts = await crawler.published(crawlerAudited);
    expect(acts.map(({ action, realmId, subject }) => [action, realmId, subject])).toEqual([
      ['crawl.requested', null, { applications: 2, sweep: true }],
      ['crawl.requested', 7, { application_id: 1, sweep: false }],
      ['crawl.requested', 7, { application_id: 1, sweep: true }],
    ]);
  });

  it('full sweeps on request wait while the realm is disabled', async () => {
    crawler.setPaused(1, true);
    await crawler.refresh();
    await request();
    await crawler.crawlDue();
    expect(await sweeps()).toMatchObject([
      { application: 1, registrations: 'paused', courses: 'paused' },
      { application: 2, registrations: 'done', courses: 'done' },
    ]);
    crawler.setPaused(1, false);
    await crawler.refresh();
    await crawler.crawlDue();
    expect(await sweeps()).toMatchObject([{ registrations: 'done' }, { registrations: 'done' }]);
  });

  it('full sweeps on request are listed with the reason while they fail', async () => {
    await request();
    crawler.provider.intercept = ({ appId }) =>
      appId === 'app-1' ? { status: 500, body: { message: 'Something broke.' } } : undefined;
    await crawler.crawlDue();
    expect(await sweeps()).toMatchObject([
      { application: 1, error: expect.stringContaining('Something broke.') },
      { application: 2, registrations: 'done', courses: 'done', error: null },
    ]);
  });
});
