import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arrivedEvents } from '@registrar/bus/testing';
import {
  changesCrawled,
  registrationLaunched,
  registrationsCrawled,
  registrationsSwept,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type CrawlerFixture, type Replica, startCrawlerFixture } from '../crawler.fixture.ts';
import { type ListClaim, type ListKind } from '../due-work/claim.ts';
import { Leases } from '../due-work/leases.ts';
import { ListCrawls } from '../due-work/list-crawls.ts';
import { MakeCrawlsDue } from '../due-work/make-crawls-due.ts';
import { ScheduleRegistration } from '../due-work/schedule-registration.ts';

const guids = Array.from({ length: 12 }, (_, number) => `r${String(number).padStart(2, '0')}`);

describe('the windows of a long list', () => {
  let crawler: CrawlerFixture;
  let other: Replica;

  beforeAll(async () => {
    crawler = await startCrawlerFixture({}, { windowRegistrations: 3 });
    other = await crawler.startReplica();
  });
  beforeEach(async () => {
    await crawler.reset();
    crawler.provider.pageSize = 2;
    const account = crawler.addApplication(1);
    for (const [number, guid] of guids.entries()) {
      account.addRegistration(guid, 'swimming');
      const createdDate = new Date(Date.now() - (12 - number) * 300_000).toISOString();
      account.change(guid, { createdDate });
    }
    await crawler.refresh();
    await crawler.database.execute(sql`
      UPDATE due_crawls SET due_at = 'infinity' WHERE kind = 'courses'`);
  });
  afterAll(() => crawler.stopAll());

  const claimOf = async (replica: Pick<Replica, 'claim'>): Promise<ListClaim> => {
    const claim = await replica.claim();
    if (!claim || claim.kind === 'registrations-by-name') throw new Error('no list is due');
    return claim;
  };
  /** Performs the claim that divides the list. */
  const divide = async () => {
    await crawler.perform(await claimOf(crawler));
  };
  const crawled = async () =>
    (await crawler.published(registrationsCrawled)).flatMap(({ outcomes }) =>
      outcomes.map(({ registrationGuid }) => registrationGuid),
    );
  const windowCount = async () => {
    const row = z.object({ count: z.number() });
    const { database } = crawler;
    return (await database.one(row, sql`SELECT count(*)::integer AS count FROM crawl_windows`))
      .count;
  };
  const watermark = async (kind: ListKind) => {
    const { at } = await crawler.database.one(
      z.object({ at: z.date().nullable() }),
      sql`SELECT window_at AS at FROM due_crawls WHERE kind = ${kind}`,
    );
    return at;
  };

  it('the windows of a long list are crawled to the end, and together contain everything', async () => {
    await crawler.crawlDue();
    expect((await crawled()).toSorted()).toEqual(guids);
    expect(await windowCount()).toBe(0);
    expect(await crawler.published(changesCrawled)).toHaveLength(1);
    expect(await crawler.history(1)).toEqual([
      { kind: 'changed-registrations', outcome: 'done', items: 12, error: null },
    ]);
  });

  it('the windows of a long list are crawled by several replicas at the same time', async () => {
    await divide();
    const first = await claimOf(crawler);
    const second = await claimOf(other);
    expect(first.applicationId).toBe(second.applicationId);
    expect(first.window?.id).not.toBe(second.window?.id);
    await Promise.all([crawler.perform(first), other.perform(second)]);
    await crawler.crawlDue();
    expect((await crawled()).toSorted()).toEqual(guids);
  });

  it('the windows of a long list leave the application free for other work', async () => {
    await divide();
    await claimOf(crawler);
    await crawler.makeDue(1, 'all-registrations');
    expect(await claimOf(other)).toMatchObject({ kind: 'all-registrations', window: null });
  });

  it('the windows of a long list move the time of the last crawl only when all are complete', async () => {
    await divide();
    const last = await claimOf(other);
    await crawler.crawlDue();
    expect(await windowCount()).toBe(1);
    expect(await watermark('changed-registrations')).toBeNull();
    expect(await crawler.published(changesCrawled)).toEqual([]);
    await other.perform(last);
    await crawler.crawlDue();
    expect(await watermark('changed-registrations')).not.toBeNull();
    expect((await crawled()).toSorted()).toEqual(guids);
  });

  it('the windows of a long list complete a list once when the last two end at the same time', async () => {
    await divide();
    const claims: ListClaim[] = [];
    for (let left = await windowCount(); left > 0; left -= 1) claims.push(await claimOf(crawler));
    crawler.provider.pageSize = 100;
    await Promise.all(claims.map((claim) => crawler.perform(claim)));
    expect(await crawler.published(changesCrawled)).toHaveLength(1);
    expect(await crawler.history(1)).toMatchObject([{ items: 12 }]);
  });

  it('the windows of a long list publish the end of a sweep once, with the sequence before all its pages', async () => {
    await crawler.crawlDue();
    await crawler.clearOutbox();
    await crawler.makeDue(1, 'all-registrations');
    await crawler.crawlDue();
    const swept = await crawler.published(registrationsSwept);
    expect(swept).toHaveLength(1);
    for (const { sequence } of await crawler.published(registrationsCrawled)) {
      expect(sequence).toBeGreaterThan(swept[0]?.sequence ?? Infinity);
    }
    expect((await crawled()).toSorted()).toEqual(guids);
  });

  it('divide many changes by the time of the change', async () => {
    await crawler.crawlDue();
    await crawler.clearOutbox();
    const now = Date.now();
    for (const [number, guid] of guids.entries()) {
      const updated = new Date(now - 1_200_000 + number * 60_000).toISOString();
      crawler.account(1).change(guid, { updated });
    }
    await crawler.database.execute(sql`
      UPDATE due_crawls SET window_at = window_at - interval '30 minutes'
      WHERE kind = 'changed-registrations'`);
    await crawler.makeDue(1, 'changed-registrations');
    await divide();
    // The last one has the changes of the last five minutes.
    expect(await windowCount()).toBe(5);
    await crawler.crawlDue();
    expect(new Set(await crawled())).toEqual(new Set(guids));
    const { query } = crawler.provider.requestsTo('registrations').at(-1) ?? {};
    expect(query?.get('datetimeFilter') ?? query?.get('more')).not.toBeNull();
  });

  it('the windows of a long list are divided again where most registrations are in one of them', async () => {
    crawler.account(1).change('r00', { createdDate: '2026-01-01T00:00:00.000Z' });
    for (const guid of guids.slice(1)) {
      const seconds = Number(guid.slice(1)) * 10;
      const createdDate = new Date(Date.UTC(2026, 5, 1, 0, 0, seconds, 500)).toISOString();
      crawler.account(1).change(guid, { createdDate });
    }
    await crawler.crawlDue();
    expect((await crawled()).toSorted()).toEqual(guids);
    expect(await windowCount()).toBe(0);
    const requests = crawler.provider.requestsTo('registrations').map(({ query }) => query);
    const windows = requests.filter((query) => query.has('since') || query.has('until'));
    expect(windows.length).toBeGreaterThan(4);
  });

  it('the windows of a long list are not made where the provider does not count its registrations', async () => {
    crawler.provider.intercept = (request) => {
      request.query.delete('includeTotalCount');
      return undefined;
    };
    await divide();
    expect(await windowCount()).toBe(0);
    await crawler.crawlDue();
    expect(await crawled()).toEqual(guids);
  });

  it('the windows of a long list write nothing after their lease has expired, and are crawled by another replica', async () => {
    await divide();
    const frozen = await claimOf(crawler);
    await crawler.database.execute(sql`UPDATE crawl_windows SET lease_until = '-infinity'`);
    const next = await claimOf(other);
    expect(next.window?.id).toBe(frozen.window?.id);
    await crawler.perform(frozen);
    expect(await crawled()).toEqual([]);
    await other.perform(next);
    await crawler.crawlDue();
    expect((await crawled()).toSorted()).toEqual(guids);
  });

  it('the windows of a long list are released one by one when their replica stops', async () => {
    await divide();
    const released = await claimOf(crawler);
    const kept = await claimOf(other);
    await crawler.app.get(Leases).release([released]);
    expect((await claimOf(other)).window?.id).toBe(released.window?.id);
    await crawler.perform(released);
    expect(await crawled()).toEqual([]);
    await other.perform(kept);
    expect(await crawled()).not.toEqual([]);
  });

  it('the windows of a long list fail one by one: the others go on, and the failed page is read again', async () => {
    await divide();
    const failing = await claimOf(crawler);
    const { intercept } = crawler.provider;
    crawler.provider.intercept = () => ({ status: 500, body: { message: 'It broke.' } });
    await crawler.perform(failing);
    crawler.provider.intercept = intercept;
    expect(await crawler.history(1)).toMatchObject([{ outcome: 'failed' }]);
    await crawler.endBackoff();
    await crawler.crawlDue();
    expect(await windowCount()).toBe(1);
    await crawler.database.execute(sql`UPDATE crawl_windows SET due_at = now()`);
    await crawler.crawlDue();
    expect((await crawled()).toSorted()).toEqual(guids);
  });

  it('the windows of a long list stay whole when a launch, or the operator, makes the list due', async () => {
    await divide();
    const at = new Date().toISOString();
    const launched = { applicationId: 1, registrationGuid: 'r00', courseGuid: 'swimming', at };
    const events = arrivedEvents(crawler.database, registrationLaunched, [launched]);
    await crawler.app.get(ScheduleRegistration).scheduleAfterLaunch(events);
    await crawler.app.get(MakeCrawlsDue).crawlNow({ application: 1, sweep: false });
    expect((await claimOf(crawler)).window).not.toBeNull();
  });

  it('the windows of a long list are left when the operator begins a sweep anew', async () => {
    await crawler.crawlDue();
    await crawler.clearOutbox();
    await crawler.makeDue(1, 'all-registrations');
    await divide();
    const old = await claimOf(crawler);
    await crawler.app.get(MakeCrawlsDue).crawlNow({ application: 1, sweep: true });
    await crawler.perform(old);
    expect(await crawled()).toEqual([]);
    await crawler.crawlDue();
    expect(await crawler.published(registrationsSwept)).toHaveLength(1);
    expect((await crawled()).toSorted()).toEqual(guids);
  });

  it('the windows of a long list are not claimed, and hold nothing up, when they are left over from another crawl', async () => {
    await divide();
    await crawler.database.execute(sql`
      UPDATE due_crawls SET due_at = now(), sequence = NULL, started_at = NULL
      WHERE kind = 'changed-registrations'`);
    await crawler.crawlDue();
    expect((await crawled()).toSorted()).toEqual(guids);
    expect(await windowCount()).toBe(0);
  });

  it('the windows of a long list keep their list from being claimed as a whole', async () => {
    await divide();
    await crawler.database.execute(sql`
      UPDATE due_crawls SET due_at = now() WHERE kind = 'changed-registrations'`);
    for (let left = await windowCount(); left > 0; left -= 1) {
      expect((await claimOf(crawler)).window).not.toBeNull();
    }
    expect(await crawler.claim()).toBeNull();
  });

  it('the windows of a long list show the operator how far the list is, by the number that the provider counts', async () => {
    await divide();
    await crawler.perform(await claimOf(crawler));
    const { items } = await crawler.app
      .get(ListCrawls)
      .list({ applications: [1], cursor: null, limit: 1 });
    expect(items[0]).toMatchObject({
      state: 'crawling',
      running: 'changed-registrations',
      expected: 12,
      items: 2,
      windows: 5,
      running_since: expect.stringMatching(/Z$/) as string,
    });
  });
});
