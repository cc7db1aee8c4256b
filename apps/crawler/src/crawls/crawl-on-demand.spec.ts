import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { crawlRegistrations, registrationsCrawled } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { runInRequestContext } from '@registrar/platform';
import * as z from 'zod';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';

describe('a crawl on demand', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture();
  });
  beforeEach(async () => {
    await crawler.reset();
    crawler.addApplication(1);
    for (const guid of ['a', 'b']) crawler.account(1).addRegistration(guid, 'swimming');
    await crawler.refresh();
    await crawler.crawlDue();
    await crawler.clearOutbox();
  });
  afterAll(() => crawler.stopAll());

  const crawl = (registrationGuids: string[], applicationId = 1) =>
    crawler.bus.request(crawlRegistrations, { applicationId, registrationGuids });
  const dueGuids = async () => {
    const rows = await crawler.database.many(
      z.object({ guid: z.string() }),
      sql`SELECT registration_guid AS guid FROM due_registrations ORDER BY 1`,
    );
    return rows.map((row) => row.guid);
  };

  it('returns the outcome of each registration and publishes no event', async () => {
    crawler.provider.intercept = ({ path }) =>
      path === 'registrations/b' ? { status: 400, body: { message: 'It is locked.' } } : undefined;
    const reply = await crawl(['a', 'b', 'gone', 'a']);
    expect(reply).toMatchObject({ crawlType: 'course' });
    expect(reply.outcomes.toSorted((one, two) => (one.outcome < two.outcome ? -1 : 1))).toEqual([
      {
        ...{ outcome: 'crawled', registrationGuid: 'a', result: expect.anything() },
        digest: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
      { outcome: 'deleted', registrationGuid: 'gone' },
      { outcome: 'failed', registrationGuid: 'b', errorCode: '400', errorMessage: 'It is locked.' },
    ]);
    expect(await crawler.published(registrationsCrawled)).toEqual([]);
    expect(await dueGuids()).toEqual([]);
  });

  it('takes its sequence before its first request to the provider', async () => {
    const responses = crawler.holdResponses(({ path }) => path === 'registrations/a');
    const requested = crawler.requestArrives(({ path }) => path === 'registrations/a');
    const slow = crawl(['a']);
    await requested;
    const quick = await crawl(['b']);
    responses.release();
    expect((await slow).sequence).toBeLessThan(quick.sequence);
  });

  it('is shared by those who ask for the same registrations before it begins', async () => {
    const calls = () => crawler.provider.requestsTo('registrations/a').length;
    const before = calls();
    const responses = crawler.holdResponses(({ path }) => path === 'registrations/a');
    const requested = crawler.requestArrives(({ path }) => path === 'registrations/a');
    const first = crawl(['a']);
    await requested;
    const later = Array.from({ length: 20 }, () => crawl(['a']));
    crawler.account(1).change('a', { totalSecondsTracked: 60 });
    responses.release();
    const replies = await Promise.all(later);
    expect(calls() - before).toBe(2);
    const [sequence] = replies.map((reply) => reply.sequence);
    expect(new Set(replies.map((reply) => reply.sequence))).toEqual(new Set([sequence]));
    expect(sequence).toBeGreaterThan((await first).sequence);
    expect(replies[0]?.outcomes).toMatchObject([{ result: { totalSeconds: 60 } }]);
  });

  it('omits registrations without a response before the deadline and schedules their crawl', async () => {
    const responses = crawler.holdResponses(({ path }) => path === 'registrations/b');
    const context = { requestId: 'r', deadline: Date.now() + 4_000 };
    const reply = await runInRequestContext(context, () => crawl(['a', 'b']));
    expect(reply.outcomes).toMatchObject([{ outcome: 'crawled', registrationGuid: 'a' }]);
    expect(await dueGuids()).toEqual(['b']);

    responses.release();
    await crawler.crawlDue();
    const [event] = await crawler.published(registrationsCrawled);
    expect(event?.outcomes).toMatchObject([{ outcome: 'crawled', registrationGuid: 'b' }]);
    expect(event?.sequence).toBeGreaterThan(reply.sequence);
    expect(await dueGuids()).toEqual([]);
  });

  it('stops its requests to a provider that returns 503', async () => {
    crawler.provider.intercept = () => ({
      status: 503,
      headers: { 'retry-after': '60' },
      body: { message: 'Back soon.' },
    });
    const guids = Array.from({ length: 100 }, (_, index) => `r${index}`);
    const before = crawler.provider.requests.length;
    const { outcomes } = await crawl(guids);
    // Eight at a time, and a ping.
    expect(crawler.provider.requests.length - before).toBeLessThanOrEqual(9);
    expect(outcomes).toEqual([]);
    expect((await dueGuids()).length).toBe(100);
    expect((await crawler.history(1)).at(-1)).toMatchObject({
      kind: 'on-demand',
      outcome: 'failed',
    });
  });

  it('returns no outcomes when the provider returns 429', async () => {
    crawler.provider.intercept = () => ({ status: 429, body: { message: 'Slow down.' } });
    expect((await crawl(['a'])).outcomes).toEqual([]);
    expect(await dueGuids()).toEqual(['a']);
  });

  it('fails with not-found for an unknown provider application', async () => {
    await expect(crawl(['a'], 99)).rejects.toMatchObject({ code: 'not-found' });
  });
});
