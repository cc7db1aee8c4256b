import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ReplyOf } from '@registrar/bus';
import { crawlRegistrations, registrationsCrawled } from '@registrar/contracts';
import { answerTimeMs } from '@registrar/course-provider';
import { sql } from '@registrar/persistence';
import { clock, runInRequestContext } from '@registrar/platform';
import { eventually } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';

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
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => crawler.stopAll());

  /**
   * Crawls for a caller that waits for so long: milliseconds. The provider has a second less, and 29 s at most. An
   * application whose credentials are refused pauses for longer than the default.
   */
  const crawl = (registrationGuids: string[], applicationId = 1, timeoutMs = 20_000) =>
    runInRequestContext({ requestId: randomUUID(), deadline: clock.now() + timeoutMs }, () =>
      crawler.bus.request(crawlRegistrations, { applicationId, registrationGuids }),
    );
  /** Lets time pass only by steps of the clock. */
  const stopClock = () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    vi.spyOn(performance, 'now').mockReturnValue(Math.round(performance.now()));
  };
  const callsOf = (guid: string) => crawler.provider.requestsTo(`registrations/${guid}`).length;
  const outcomeOf = ({ outcomes }: ReplyOf<typeof crawlRegistrations>, guid: string) =>
    outcomes.find(({ registrationGuid }) => registrationGuid === guid);
  /** Crawls a registration, and holds the provider's response to its first call. */
  const holdCall = async (guid: string) => {
    const before = callsOf(guid);
    const matches = ({ path }: { path: string }) => path === `registrations/${guid}`;
    const responses = crawler.holdResponses(matches);
    const requested = crawler.requestArrives(matches);
    const first = crawl([guid], 1, 60_000);
    await requested;
    return { before, first, release: () => responses.release() };
  };
  /** Crawls `a` and another registration, and returns when the held call of `a` is all that it waits for. */
  const crawlWhileHeld = async (other: string, timeoutMs = 60_000) => {
    const arrived = crawler.requestArrives(({ path }) => path === `registrations/${other}`);
    const reply = crawl([other, 'a'], 1, timeoutMs);
    await arrived;
    return { reply };
  };
  /** Begins such crawls at the same time. */
  const crawlManyWhileHeld = async (count: number) => {
    const others = Array.from({ length: count }, (_, index) => `other-${index}`);
    const crawls = await Promise.all(others.map((other) => crawlWhileHeld(other)));
    return crawls.map(({ reply }) => reply);
  };
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
        outcome: 'crawled',
        registrationGuid: 'a',
        result: expect.anything(),
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

  it('shares the next call of a registration, whatever else is asked for, but none that was sent', async () => {
    const hold = await holdCall('a');
    crawler.account(1).change('a', { totalSecondsTracked: 60 });
    const later = await crawlManyWhileHeld(20);
    hold.release();
    const { sequence } = await hold.first;
    for (const reply of await Promise.all(later)) {
      expect(reply.sequence).toBeGreaterThan(sequence);
      expect(outcomeOf(reply, 'a')).toMatchObject({ result: { totalSeconds: 60 } });
    }
    expect(callsOf('a') - hold.before).toBe(2);
  });

  it('lets each caller wait until its own deadline for a shared call', async () => {
    stopClock();
    const hold = await holdCall('a');
    // The first of them requests the call that both share, and gives up before it begins.
    const impatient = await crawlWhileHeld('one', 20_000);
    const patient = await crawlWhileHeld('two');
    clock.step(19_000);
    expect(outcomeOf(await impatient.reply, 'a')).toBeUndefined();
    expect(await dueGuids()).toEqual(['a']);
    hold.release();
    expect(outcomeOf(await patient.reply, 'a')).toMatchObject({ outcome: 'crawled' });
    await hold.first;
    expect(callsOf('a') - hold.before).toBe(2);
  });

  it('makes calls of another application while those of one are held, and no more of one than its share', async () => {
    crawler.addApplication(2);
    crawler.account(2).addRegistration('of-2', 'swimming');
    await crawler.refresh();
    const held = new Set<string>();
    const responses = crawler.holdResponses(({ path }) => {
      if (!path.startsWith('registrations/held')) return false;
      held.add(path);
      return true;
    });
    const guids = Array.from({ length: 40 }, (_, at) => `held-${at}`);
    const crawls = [0, 8, 16, 24, 32].map((from) => crawl(guids.slice(from, from + 8), 1, 60_000));
    await eventually('the application has its share', () => held.size === 4);
    expect((await crawl(['of-2'], 2)).outcomes).toMatchObject([{ outcome: 'crawled' }]);
    expect(held.size).toBe(4);
    responses.release();
    const outcomes = (await Promise.all(crawls)).flatMap((reply) => reply.outcomes);
    expect(outcomes).toHaveLength(40);
  });

  it('takes one call of the rate limit for a shared call, and records it once', async () => {
    const hold = await holdCall('a');
    const later = await crawlManyWhileHeld(5);
    const taken = vi.spyOn(crawler.app.get(RateLimits), 'waitFor');
    hold.release();
    await Promise.all([hold.first, ...later]);
    expect(taken).toHaveBeenCalledTimes(1);
    taken.mockRestore();
    // Each of the lists has a registration of its own; one of them has the shared one as well.
    const items = (await crawler.history(1)).flatMap((each) =>
      each.kind === 'on-demand' ? each.items : [],
    );
    expect(items.reduce((sum, count) => sum + count, 0)).toBe(1 + 5 + 1);
  });

  it('records the fault of a shared call once, and returns no outcome to all who share it', async () => {
    const hold = await holdCall('a');
    const later = await crawlManyWhileHeld(5);
    const failures = vi.spyOn(crawler.app.get(RateLimits), 'recordFailure');
    crawler.provider.intercept = () => ({ status: 429, body: { message: 'Slow down.' } });
    hold.release();
    await hold.first;
    for (const reply of await Promise.all(later)) {
      expect(reply.outcomes).toMatchObject([{ outcome: 'deleted' }]);
    }
    expect(failures).toHaveBeenCalledTimes(1);
    failures.mockRestore();
    expect(await dueGuids()).toEqual(['a']);
    const failed = (await crawler.history(1)).filter(({ outcome }) => outcome === 'failed');
    expect(failed).toHaveLength(1);
  });

  it('omits registrations without a response before the deadline and schedules their crawl', async () => {
    const late = Array.from({ length: 8 }, (_, index) => `late-${index}`);
    for (const guid of late) crawler.account(1).addRegistration(guid, 'swimming');
    const responses = crawler.holdResponses(({ path }) => path.startsWith('registrations/late'));
    // Eight calls are in flight at a time, so the last one begins when that of `a` has ended.
    const ended = crawler.requestArrives(({ path }) => path === `registrations/${late.at(-1)}`);
    const crawling = crawl(['a', ...late], 1, 60_000);
    await ended;
    clock.step(29_000);
    const reply = await crawling;
    expect(reply.outcomes).toMatchObject([{ outcome: 'crawled', registrationGuid: 'a' }]);
    expect(await dueGuids()).toEqual(late);

    responses.release();
    await crawler.crawlDue();
    const [event] = await crawler.published(registrationsCrawled);
    const crawled = event?.outcomes.map(({ outcome, registrationGuid }) => [
      registrationGuid,
      outcome,
    ]);
    expect(crawled?.toSorted()).toEqual(late.map((guid) => [guid, 'crawled']));
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
    const { outcomes, fault } = await crawl(guids);
    // Eight at a time, and a ping.
    expect(crawler.provider.requests.length - before).toBeLessThanOrEqual(9);
    expect(outcomes).toEqual([]);
    expect(fault).toEqual({ errorCode: '503', errorMessage: 'Back soon.' });
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

  it('returns the failure after which the application pauses, without a call', async () => {
    crawler.provider.intercept = () => ({ status: 401, body: { message: 'Who are you?' } });
    const fault = { errorCode: '401', errorMessage: 'Who are you?' };
    expect(await crawl(['a'])).toMatchObject({ outcomes: [], fault });
    const before = callsOf('b');
    expect(await crawl(['b'])).toMatchObject({ outcomes: [], fault });
    expect(callsOf('b')).toBe(before);
    crawler.provider.intercept = () => undefined;
    await crawler.app.get(RateLimits).retryUnauthorized();
    expect(await crawl(['b'])).toMatchObject({ outcomes: [{ outcome: 'crawled' }], fault: null });
  });

  it('returns a timeout as the failure when the provider responds to no call before the deadline', async () => {
    stopClock();
    const hold = await holdCall('a');
    clock.step(29_000 - answerTimeMs);
    const reply = await hold.first;
    hold.release();
    expect(reply).toMatchObject({ outcomes: [], fault: { errorCode: 'ETIMEDOUT' } });
    // A slow response to a client does not hold back the crawls of the application.
    expect(await crawl(['a'])).toMatchObject({ outcomes: [{ outcome: 'crawled' }] });
  });

  it('fails with not-found for an unknown provider application', async () => {
    await expect(crawl(['a'], 99)).rejects.toMatchObject({ code: 'not-found' });
  });
});
