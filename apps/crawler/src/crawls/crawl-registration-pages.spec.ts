import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '@registrar/bus';
import {
  changesCrawled,
  type findChangedResults,
  registrationsCrawled,
  registrationsSwept,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';

describe('crawls of the registration list', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture();
  });
  beforeEach(async () => {
    await crawler.reset();
    crawler.addApplication(1);
    crawler.provider.pageSize = 2;
    for (const guid of ['a', 'b', 'c']) crawler.account(1).addRegistration(guid, 'swimming');
  });
  afterAll(() => crawler.stopAll());

  const crawlAll = async () => {
    await crawler.refresh();
    await crawler.crawlDue();
  };
  const guidsOf = (events: { outcomes: { registrationGuid: string }[] }[]) =>
    events.map((event) => event.outcomes.map((outcome) => outcome.registrationGuid));
  const intervalOf = async (kind: string) => {
    const { interval } = await crawler.database.one(
      z.object({ interval: z.number() }),
      sql`SELECT interval_seconds AS interval FROM due_crawls WHERE kind = ${kind}`,
    );
    return interval;
  };

  it('crawls of the registration list publish all registrations of a new provider application, page by page', async () => {
    await crawlAll();
    const events = await crawler.published(registrationsCrawled);
    expect(guidsOf(events)).toEqual([['a', 'b'], ['c']]);
    expect(events[0]).toMatchObject({ applicationId: 1, realmId: 7, crawlType: 'course' });
    expect(events[0]?.outcomes[0]).toMatchObject({
      outcome: 'crawled',
      result: { learner: { email: 'a@example.com' }, completion: 'unknown' },
    });
    expect(events[1]?.sequence).toBeGreaterThan(events[0]?.sequence ?? Infinity);
    expect(await crawler.history(1)).toContainEqual({
      kind: 'changed-registrations',
      outcome: 'done',
      items: 3,
      error: null,
    });
  });

  it('crawls of the registration list request only registrations that changed since the last crawl, with an overlap', async () => {
    await crawlAll();
    const first = await crawler.database.one(
      z.object({ at: z.date() }),
      sql`SELECT window_at AS at FROM due_crawls WHERE kind = 'changed-registrations'`,
    );
    await crawler.clearOutbox();
    // Before the beginning of the overlap.
    crawler.account(1).change('a', { updated: '2026-01-01T00:00:00.000Z' });
    crawler.account(1).change('b', { updated: '2026-01-01T00:00:00.000Z' });
    crawler.account(1).change('c', { registrationCompletion: 'COMPLETED' });
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.crawlDue();
    expect(guidsOf(await crawler.published(registrationsCrawled))).toEqual([['c']]);
    const query = crawler.provider.requestsTo('registrations').at(-1)?.query;
    expect(query?.get('datetimeFilter')).toBe('updated');
    const since = Date.parse(query?.get('since') ?? '');
    expect(since).toBeLessThan(first.at.getTime());
  });

  it('crawls of the registration list publish no event and double their interval when nothing has changed', async () => {
    await crawlAll();
    await crawler.database.execute(sql`
      UPDATE due_crawls SET window_at = now() + interval '1 day' WHERE window_at IS NOT NULL`);
    await crawler.clearOutbox();
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.crawlDue();
    expect(await crawler.published(registrationsCrawled)).toEqual([]);
    expect(await intervalOf('changed-registrations')).toBe(60);
  });

  it('crawls of the registration list publish the end of a sweep with the sequence of its first page', async () => {
    await crawlAll();
    await crawler.clearOutbox();
    crawler.account(1).registrations.delete('b');
    await crawler.makeDue(1, 'all-registrations');
    await crawler.crawlDue();
    const pages = await crawler.published(registrationsCrawled);
    expect(guidsOf(pages)).toEqual([['a', 'c']]);
    const [swept] = await crawler.published(registrationsSwept);
    expect(swept).toMatchObject({ applicationId: 1, sequence: pages[0]?.sequence });
    expect(swept?.startedAt).toBe(pages[0]?.crawledAt);
  });

  it('crawls of the registration list publish of a sweep only what enrolment finds changed', async () => {
    await crawlAll();
    await crawler.clearOutbox();
    const asked: InputOf<typeof findChangedResults>[] = [];
    crawler.enrolment.findChanged = async (input) => {
      asked.push(input);
      return { changed: ['b'] };
    };
    await crawler.makeDue(1, 'all-registrations');
    await crawler.crawlDue();
    expect(guidsOf(await crawler.published(registrationsCrawled))).toEqual([['b']]);
    const [swept] = await crawler.published(registrationsSwept);
    expect(asked).toMatchObject([
      { applicationId: 1, sweep: swept?.sequence, sequence: swept?.sequence },
      { applicationId: 1, sweep: swept?.sequence },
    ]);
    const [first, second] = asked;
    expect(second?.sequence).toBeGreaterThan(first?.sequence ?? Infinity);
    expect([first, second].map((page) => page?.results.length)).toEqual([2, 1]);
  });

  it('crawls of the registration list give equal results the digest that was published, and changed ones another', async () => {
    await crawlAll();
    const published = await crawler.published(registrationsCrawled);
    const digests = new Map(
      published.flatMap(({ outcomes }) =>
        outcomes.map((each) => [each.registrationGuid, 'digest' in each && each.digest]),
      ),
    );
    const isEqual: Record<string, boolean> = {};
    crawler.enrolment.findChanged = async ({ results }) => {
      for (const each of results) {
        isEqual[each.registrationGuid] = digests.get(each.registrationGuid) === each.digest;
      }
      return { changed: [] };
    };
    crawler.account(1).change('b', { registrationCompletion: 'COMPLETED' });
    await crawler.makeDue(1, 'all-registrations');
    await crawler.crawlDue();
    expect(isEqual).toEqual({ a: true, b: false, c: true });
  });

  it('crawls of the registration list publish all of a sweep while enrolment is unavailable', async () => {
    await crawlAll();
    await crawler.clearOutbox();
    await crawler.makeDue(1, 'all-registrations');
    await crawler.crawlDue();
    expect(guidsOf(await crawler.published(registrationsCrawled))).toEqual([['a', 'b'], ['c']]);
    expect(crawler.lines()).toContainEqual(
      expect.objectContaining({
        msg: 'results were not compared with the stored ones; all of them are published',
        code: 'unavailable',
      }),
    );
  });

  it('crawls of the registration list publish when a crawl of changes is complete', async () => {
    await crawlAll();
    const pages = await crawler.published(registrationsCrawled);
    expect(await crawler.published(changesCrawled)).toEqual([
      { applicationId: 1, startedAt: pages[0]?.crawledAt },
    ]);
  });

  it('continue a sweep that another replica has begun', async () => {
    await crawlAll();
    await crawler.clearOutbox();
    await crawler.makeDue(1, 'all-registrations');
    const claim = await crawler.claim();
    if (claim) await crawler.perform(claim);
    const other = await crawler.startReplica();
    expect(await other.crawlDue()).toMatchObject([{ kind: 'all-registrations', items: 2 }]);
    const pages = await crawler.published(registrationsCrawled);
    expect(guidsOf(pages)).toEqual([['a', 'b'], ['c']]);
    const [swept] = await crawler.published(registrationsSwept);
    expect(swept?.sequence).toBe(pages[0]?.sequence);
    await other.stop();
  });

  it('restart from the first page when the provider rejects the token for the next page', async () => {
    await crawlAll();
    await crawler.clearOutbox();
    await crawler.makeDue(1, 'all-registrations');
    const claim = await crawler.claim();
    if (claim) await crawler.perform(claim);
    crawler.provider.intercept = ({ query }) =>
      query.has('more') ? { status: 400, body: { message: 'The token is unknown.' } } : undefined;
    await crawler.crawlDue();
    crawler.provider.intercept = () => undefined;
    await crawler.endBackoff();
    await crawler.makeDue(1, 'all-registrations');
    await crawler.crawlDue();
    expect(guidsOf(await crawler.published(registrationsCrawled))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['c'],
    ]);
    expect((await crawler.published(registrationsSwept)).length).toBe(1);
  });
});

describe('crawls of several pages in one turn', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture({}, { pagesPerTurn: 3 });
  });
  beforeEach(async () => {
    await crawler.reset();
    crawler.addApplication(1);
    crawler.provider.pageSize = 1;
    for (const guid of ['a', 'b', 'c', 'd']) crawler.account(1).addRegistration(guid, 'swimming');
    await crawler.refresh();
  });
  afterAll(() => crawler.stopAll());

  const guids = async () =>
    (await crawler.published(registrationsCrawled)).flatMap(({ outcomes }) =>
      outcomes.map(({ registrationGuid }) => registrationGuid),
    );
  /** Claims the first page of the list, before the courses. */
  const claimList = async () => {
    await crawler.database.execute(sql`
      UPDATE due_crawls SET due_at = 'infinity' WHERE kind = 'courses'`);
    const claim = await crawler.claim();
    if (claim?.kind !== 'changed-registrations') throw new Error('there is no claim of the list');
    return claim;
  };

  it('crawls of several pages in one turn end after as many pages as a turn has, and go on in the next turn', async () => {
    await crawler.perform(await claimList());
    expect(await guids()).toEqual(['a', 'b', 'c']);
    await crawler.crawlDue();
    expect(await guids()).toEqual(['a', 'b', 'c', 'd']);
    expect(await crawler.history(1)).toMatchObject([{ outcome: 'done', items: 4 }]);
  });

  it('crawls of several pages in one turn request the next page before the one before is stored', async () => {
    await crawler.crawlDue();
    await crawler.makeDue(1, 'all-registrations');
    const arrived = crawler.requestArrives(({ query }) => query.has('more'));
    crawler.enrolment.findChanged = async () => {
      await arrived;
      return { changed: [] };
    };
    await crawler.crawlDue();
    expect(await crawler.published(registrationsSwept)).toHaveLength(1);
  });

  it('crawls of several pages in one turn store the pages before one that failed, which stays due', async () => {
    crawler.provider.intercept = ({ query }) =>
      query.has('more') ? { status: 500, body: { message: 'It broke.' } } : undefined;
    await crawler.perform(await claimList());
    crawler.provider.intercept = () => undefined;
    expect(await guids()).toEqual(['a']);
    await crawler.endBackoff();
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.crawlDue();
    expect(await guids()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('crawls of several pages in one turn write nothing more when the lease was lost between two pages', async () => {
    crawler.provider.intercept = async ({ query }) => {
      if (query.has('more')) {
        await crawler.database.execute(sql`UPDATE applications SET epoch = epoch + 1`);
      }
      return undefined;
    };
    const claim = await claimList();
    await crawler.perform(claim);
    crawler.provider.intercept = () => undefined;
    expect((await guids()).length).toBeLessThan(2);
    await crawler.database.execute(sql`UPDATE applications SET lease_until = '-infinity'`);
    await crawler.crawlDue();
    expect(new Set(await guids())).toEqual(new Set(['a', 'b', 'c', 'd']));
  });

  it('crawls of several pages in one turn end when the rate limit has no call left', async () => {
    await crawler.database.execute(sql`
      INSERT INTO rate_limits (application_id, tokens, crawl_tokens, refilled_at)
      VALUES (1, 100, 2, now() + interval '1 hour')`);
    await crawler.perform(await claimList());
    expect(await guids()).toEqual(['a', 'b']);
  });
});
