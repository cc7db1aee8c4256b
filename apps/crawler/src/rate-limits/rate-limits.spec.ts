import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CourseProviderError } from '@registrar/course-provider';
import { sql } from '@registrar/persistence';
import { runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type CrawlerFixture, type Replica, startCrawlerFixture } from '../crawler.fixture.ts';
import { RateLimits } from './rate-limits.ts';

describe('rate limits', () => {
  let crawler: CrawlerFixture;
  let other: Replica;

  beforeAll(async () => {
    crawler = await startCrawlerFixture({
      APPLICATION_CALLS_PER_SECOND: 80,
      CRAWL_RATE_PER_SECOND: 40,
    });
    other = await crawler.startReplica();
  });
  beforeEach(() => crawler.reset());
  afterAll(() => crawler.stopAll());

  const limits = () => [crawler.app.get(RateLimits), other.app.get(RateLimits)] as const;
  /** Sets the tokens of the buckets, which are not refilled while the suite runs. */
  const fill = async (applicationId: number, tokens: number, crawlTokens = tokens) => {
    await crawler.database.execute(sql`
      INSERT INTO rate_limits (application_id, tokens, crawl_tokens, refilled_at)
      VALUES (${applicationId}, ${tokens}, ${crawlTokens}, now() + interval '1 hour')`);
  };
  const none = { granted: 0, isPaused: false };
  const granted = (calls: number) => ({ granted: calls, wait: 0, isPaused: false });
  const throttled = new CourseProviderError({
    kind: 'throttled',
    providerCode: '429',
    providerMessage: 'Too many requests.',
    method: 'GET',
    url: 'https://provider.example.com/api/v2/registrations',
    retryAfter: 1_000,
  });

  it('rate limits are shared by all replicas', async () => {
    await fill(1, 8);
    const takes = Array.from({ length: 20 }, (_, index) =>
      limits()[index % 2 ? 1 : 0].take(1, 1, 'on-demand'),
    );
    const sum = (await Promise.all(takes)).reduce((total, take) => total + take.granted, 0);
    expect(sum).toBe(8);
  });

  it('rate limits are not held by a replica that is frozen while it takes a call', async () => {
    await fill(1, 8);
    const [frozen, working] = limits();
    const taken = Promise.withResolvers<void>();
    const thawed = Promise.withResolvers<void>();
    const taking = crawler.database.transaction(async () => {
      await frozen.take(1, 1, 'client');
      taken.resolve();
      await thawed.promise;
    });
    await taken.promise;
    // Before the database ends other idle transactions.
    const context = { requestId: randomUUID(), deadline: Date.now() + 30_000 };
    expect(await runInRequestContext(context, () => working.take(1, 8, 'client'))).toEqual(
      granted(8),
    );
    thawed.resolve();
    await expect(taking).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('rate limits leave to clients what crawls may not use', async () => {
    await fill(1, 8, 4);
    const [one, two] = limits();
    expect(await one.take(1, 20, 'background')).toEqual(granted(4));
    expect(await two.take(1, 1, 'background')).toMatchObject(none);
    expect(await two.take(1, 20, 'client')).toEqual(granted(4));
    expect(await two.take(1, 1, 'on-demand')).toMatchObject(none);
  });

  it('rate limits let a client that waits for a call go before crawls', async () => {
    await fill(1, 0);
    const [one, two] = limits();
    expect((await one.take(1, 1, 'client')).granted).toBe(0);
    // What the client has set lasts for as long as the suite.
    await crawler.database.execute(sql`
      UPDATE rate_limits
      SET tokens = 8, crawl_tokens = 4, interactive_until = interactive_until + interval '1 hour'`);
    expect(await two.take(1, 1, 'background')).toMatchObject({ granted: 0, isPaused: true });
    expect(await one.take(1, 1, 'client')).toEqual(granted(1));
  });

  it('rate limits let a crawl wait for the next call, unless it takes long', async () => {
    const [one] = limits();
    await crawler.database.execute(
      sql`INSERT INTO rate_limits (application_id, tokens, crawl_tokens) VALUES (1, 8, 0)`,
    );
    expect(await one.waitBriefly(1)).toBe(true);
    crawler.addApplication(2);
    await crawler.refresh();
    await crawler.database.execute(sql`UPDATE applications SET rate_per_second = 1`);
    await fill(2, 8, 0);
    expect(await one.waitBriefly(2)).toBe(false);
  });

  it('rate limits allow crawls at most three quarters of all calls', async () => {
    crawler.addApplication(1);
    await crawler.refresh();
    await crawler.database.execute(sql`UPDATE applications SET calls_per_second = 40`);
    const [one] = limits();
    expect(await one.take(1, 100, 'background')).toEqual(granted(3));
    // Nothing is refilled meanwhile.
    await crawler.database.execute(
      sql`UPDATE rate_limits SET refilled_at = now() + interval '1 hour'`,
    );
    expect(await one.take(1, 100, 'client')).toEqual(granted(1));
  });

  it('rate limits begin with a full bucket for an unknown application', async () => {
    expect(await limits()[0].take(9, 100, 'on-demand')).toEqual(granted(8));
  });

  it('rate limits hold clients back for the time of Retry-After, but not for other failures', async () => {
    const [one, two] = limits();
    await one.recordFailure(1, throttled);
    expect((await two.take(1, 1, 'client')).wait).toBeGreaterThan(600_000);
    const unavailable = new CourseProviderError({ ...throttled.fault, kind: 'unavailable' });
    await one.recordFailure(2, unavailable);
    expect(await two.take(2, 1, 'on-demand')).toMatchObject({ granted: 0, isPaused: true });
    expect(await two.take(2, 1, 'client')).toEqual(granted(1));
  });

  it('rate limits stop one application for all replicas and lanes for the time of Retry-After', async () => {
    const [one, two] = limits();
    await one.recordFailure(1, throttled);
    for (const lane of ['on-demand', 'background'] as const) {
      const { wait } = await two.take(1, 1, lane);
      expect(wait).toBeGreaterThan(600_000);
    }
    expect(await two.take(2, 1, 'background')).toMatchObject({ granted: 1 });
  });

  it('rate limits count concurrent failures as one and reset the number after a success', async () => {
    const [one, two] = limits();
    const failures = async () => {
      const limit = await crawler.database.one(
        z.object({ failures: z.number() }),
        sql`SELECT failures FROM rate_limits WHERE application_id = 1`,
      );
      return limit.failures;
    };
    await Promise.all([one.recordFailure(1, throttled), two.recordFailure(1, throttled)]);
    expect(await failures()).toBe(1);
    await crawler.endBackoff();
    await one.recordFailure(1, throttled);
    expect(await failures()).toBe(2);
    await crawler.endBackoff();
    await one.recordSuccess(1);
    expect(await failures()).toBe(0);
  });

  it('rate limits let one call out after a failure, until it has succeeded', async () => {
    const [one, two] = limits();
    await one.recordFailure(1, throttled);
    await crawler.endBackoff();
    expect(await two.take(1, 20, 'background')).toMatchObject({ granted: 1 });
    expect(await one.take(1, 1, 'on-demand')).toMatchObject({ granted: 0 });
    await two.recordSuccess(1);
    expect((await one.take(1, 1, 'on-demand')).granted).toBe(1);
  });

  it('halve the rate with each failure that comes from load, and raise it with each success', async () => {
    const [one, two] = limits();
    const rate = async () => {
      const limit = await crawler.database.one(
        z.object({ rate: z.number().nullable() }),
        sql`SELECT rate FROM rate_limits WHERE application_id = 1`,
      );
      return limit.rate;
    };
    await Promise.all([one.recordFailure(1, throttled), two.recordFailure(1, throttled)]);
    expect(await rate()).toBe(20);
    await crawler.endBackoff();
    await one.recordFailure(1, throttled);
    expect(await rate()).toBe(10);
    await crawler.endBackoff();
    await one.recordSuccess(1);
    expect(await rate()).toBeCloseTo(12);
    for (let success = 0; success < 14; success += 1) await two.recordSuccess(1);
    expect(await rate()).toBeNull();
  });

  it('rate limits do not lower the rate when credentials are not accepted, and try new ones at once', async () => {
    const [one] = limits();
    const unauthorized = new CourseProviderError({ ...throttled.fault, kind: 'unauthorized' });
    await one.recordFailure(1, unauthorized);
    await one.recordFailure(2, throttled);
    expect((await one.take(1, 1, 'background')).wait).toBeGreaterThan(20_000);
    await one.retryUnauthorized();
    expect(await one.take(1, 1, 'background')).toMatchObject({ granted: 1 });
    expect(await one.take(2, 1, 'background')).toMatchObject({ granted: 0 });
  });
});
