import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changesCrawled, registrationsCrawled } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { scrapeMetrics } from '@registrar/testing';
import * as z from 'zod';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';

const guids = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5'];
const minuteMs = 60_000;

describe('crawls of a list that changes while it is read, by a provider whose tokens are offsets', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture({ MANAGEMENT_PORT: 0 });
  });
  beforeEach(async () => {
    await crawler.reset();
    crawler.provider.pageSize = 2;
    const account = crawler.addApplication(1);
    account.tokens = 'offset';
    for (const guid of guids) account.addRegistration(guid, 'swimming');
    await crawler.refresh();
    await crawler.database.execute(sql`DELETE FROM due_crawls WHERE kind = 'courses'`);
    await crawler.crawlDue();
    await crawler.clearOutbox();
  });
  afterAll(() => crawler.stopAll());

  /** Changes all registrations a while ago, while the crawler did not reach the provider. */
  const changeAll = async () => {
    for (const [number, guid] of guids.entries()) {
      const updated = new Date(Date.now() - 10 * minuteMs + number * 1_000).toISOString();
      crawler.account(1).change(guid, { updated, totalSecondsTracked: 60 });
    }
    await crawler.database.execute(sql`
      UPDATE due_crawls SET window_at = now() - interval '20 minutes'
      WHERE kind = 'changed-registrations'`);
    await crawler.makeDue(1, 'changed-registrations');
  };
  const published = async () =>
    (await crawler.published(registrationsCrawled)).flatMap(({ outcomes }) =>
      outcomes.map(({ registrationGuid }) => registrationGuid),
    );

  const crawlChanges = async () => {
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.crawlDue();
  };
  /** Changes a registration again while a page after the first one is requested, so many times. */
  const changeAgain = (times: number) => {
    let left = times;
    crawler.provider.intercept = ({ query }) => {
      if (query.has('more') && left > 0) {
        left -= 1;
        crawler.account(1).change(guids[left % guids.length]!, {});
      }
      return undefined;
    };
  };
  /** Makes the provider count more registrations than it lists. */
  const countTooMany = () => {
    crawler.provider.intercept = ({ query }) =>
      query.has('until') && !query.has('more')
        ? {
            status: 200,
            headers: { 'x-total-count': '7' },
            body: { registrations: [...crawler.account(1).registrations.values()].slice(0, 3) },
          }
        : undefined;
  };
  /** Lists the same registrations again and again. */
  const goRoundInACircle = (seen: (page: number) => void | Promise<void>) => {
    crawler.provider.pageSize = 100;
    const { registrations } = crawler.account(1);
    let pages = 0;
    crawler.provider.intercept = async () => {
      pages += 1;
      await seen(pages);
      const many = [...registrations.values()].flatMap((each) =>
        Array.from({ length: 200 }, () => each),
      );
      const body = { registrations: many, more: `token ${pages % 2}` };
      return { status: 200, headers: { 'x-total-count': '6' }, body };
    };
  };
  const watermark = async () => {
    const row = z.object({ at: z.date() });
    const statement = sql`
      SELECT window_at AS at FROM due_crawls WHERE kind = 'changed-registrations'`;
    return (await crawler.database.one(row, statement)).at;
  };
  const metric = async (name: string) =>
    (await scrapeMetrics(crawler.app)).value(name, { application: '1' });
  const missing = () => metric('registrar_crawl_missing_registrations');
  const failures = () => metric('registrar_crawl_failures');

  describe.each([
    ['the first page', false],
    ['each page', true],
  ])('that counts it on %s', (_, countsEachPage) => {
    it.each([1, 2, 6])(
      'a list that changes %i times while it is read is published completely',
      async (times) => {
        crawler.account(1).countsEachPage = countsEachPage;
        await changeAll();
        changeAgain(times);
        await crawlChanges();
        await crawlChanges();
        expect(new Set(await published())).toEqual(new Set(guids));
        expect(await missing()).toBeUndefined();
      },
    );
  });

  it('a list with fewer registrations than the provider counts is read again a limited number of times', async () => {
    await changeAll();
    const before = await watermark();
    countTooMany();
    crawler.provider.requests.length = 0;
    await crawlChanges();
    const reads = crawler.provider
      .requestsTo('registrations')
      .filter(({ query }) => query.has('until'));
    expect(reads).toHaveLength(6);
    expect(await watermark()).toEqual(before);
    expect(await crawler.published(changesCrawled)).toEqual([]);
    expect((await crawler.history(1)).at(-1)).toMatchObject({
      kind: 'changed-registrations',
      outcome: 'failed',
      error: expect.stringMatching(/^4 registrations were not listed/),
    });
    expect(crawler.lines()).toContainEqual(
      expect.objectContaining({ msg: 'a crawl is incomplete', application: 1 }),
    );
    expect(await missing()).toBe(4);
  });

  it('a list from which registrations were missing begins at the same time again, until it is complete', async () => {
    await changeAll();
    const before = await watermark();
    countTooMany();
    await crawlChanges();
    crawler.provider.intercept = () => undefined;
    await crawlChanges();
    expect(new Set(await published())).toEqual(new Set(guids));
    expect(await missing()).toBeUndefined();
    expect((await watermark()).getTime()).toBeGreaterThan(before.getTime());
  });

  it('a list from which registrations were missing begins with the last sweep, which has read them', async () => {
    await changeAll();
    const before = await watermark();
    countTooMany();
    await crawlChanges();
    await crawler.makeDue(1, 'all-registrations');
    await crawler.crawlDue();
    expect((await watermark()).getTime()).toBeGreaterThan(before.getTime());
    expect(await missing()).toBeUndefined();
  });

  it('a list whose tokens go round in a circle ends after a limited number of pages, with a failure', async () => {
    let pages = 0;
    goRoundInACircle((page) => void (pages = page));
    await crawlChanges();
    expect(pages).toBeLessThan(20);
    expect((await crawler.history(1)).at(-1)).toMatchObject({
      outcome: 'failed',
      error: "the course provider's list of 6 registrations does not end",
    });
  });

  it('a sweep that does not end counts as failing while it is read anew, until it is complete', async () => {
    const sweep = async () => {
      await crawler.endBackoff();
      await crawler.makeDue(1, 'all-registrations');
      await crawler.crawlDue();
    };
    goRoundInACircle(() => undefined);
    for (let attempt = 1; attempt <= 3; attempt += 1) await sweep();
    let failuresAnew: number | undefined;
    // The first page is stored before the third one is requested.
    goRoundInACircle(async (page) => {
      if (page === 3) failuresAnew = await failures();
    });
    await sweep();
    expect(failuresAnew).toBe(1);
    crawler.provider.intercept = () => undefined;
    for (let attempt = 1; attempt <= 3; attempt += 1) await sweep();
    expect(await failures()).toBeUndefined();
  });

  it('registrations that changed once are published once, though the next crawls of changes list them again', async () => {
    const stored = new Map<string, string>();
    crawler.enrolment.findChanged = async ({ sweep, results }) => {
      expect(sweep).toBeNull();
      const changed = results.filter((each) => stored.get(each.registrationGuid) !== each.digest);
      for (const each of changed) stored.set(each.registrationGuid, each.digest);
      return { changed: changed.map((each) => each.registrationGuid) };
    };
    crawler.account(1).change('r3', { totalSecondsTracked: 60 });
    await crawlChanges();
    await crawler.clearOutbox();
    crawler.account(1).change('r3', { totalSecondsTracked: 120 });
    await crawlChanges();
    await crawlChanges();
    expect(await published()).toEqual(['r3']);
  });
});
