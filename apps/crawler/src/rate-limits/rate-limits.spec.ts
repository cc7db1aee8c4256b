import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CourseProviderError } from '@registrar/course-provider';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type CrawlerFixture, type Replica, startCrawlerFixture } from '../crawler.fixture.ts';
import { RateLimits } from './rate-limits.ts';

describe('rate limits', () => {
  let crawler: CrawlerFixture;
  let other: Replica;

  beforeAll(async () => {
    crawler = await startCrawlerFixture({ CRAWL_RATE_PER_SECOND: 4 });
    other = await crawler.startReplica();
  });
  beforeEach(() => crawler.reset());
  afterAll(() => crawler.stopAll());

  const limits = () => [crawler.app.get(RateLimits), other.app.get(RateLimits)] as const;
  /** Sets the tokens of a bucket, which is not refilled while the suite runs. */
  const fill = async (applicationId: number, tokens: number) => {
    await crawler.database.execute(sql`
      INSERT INTO rate_limits (application_id, tokens, refilled_at)
      VALUES (${applicationId}, ${tokens}, now() + interval '1 hour')`);
  };
  const throttled = new CourseProviderError({
    kind: 'throttled',
    providerCode: '429',
    providerMessage: 'Too many requests.',
    method: 'GET',
    url: 'https://provider.example.com/api/v2/registrations',
    retryAfter: 100,
  });

  it('are shared by all replicas', async () => {
    await fill(1, 8);
    const takes = Array.from({ length: 20 }, (_, index) =>
      limits()[index % 2 ? 1 : 0].take(1, 1, 'interactive'),
    );
    const granted = (await Promise.all(takes)).reduce((sum, take) => sum + take.granted, 0);
    expect(granted).toBe(8);
  });

  it('reserve a quarter of the calls for interactive work', async () => {
    await fill(1, 8);
    const [one, two] = limits();
    expect(await one.take(1, 20, 'background')).toEqual({ granted: 6, wait: 0 });
    expect(await two.take(1, 1, 'background')).toMatchObject({ granted: 0 });
    expect(await two.take(1, 20, 'interactive')).toEqual({ granted: 2, wait: 0 });
  });

  it('begin with a full bucket for an unknown application', async () => {
    expect(await limits()[0].take(9, 100, 'interactive')).toEqual({ granted: 8, wait: 0 });
  });

  it('stop one application for all replicas and lanes for the time of Retry-After', async () => {
    const [one, two] = limits();
    await one.recordFailure(1, throttled);
    for (const lane of ['interactive', 'background'] as const) {
      const { granted, wait } = await two.take(1, 1, lane);
      expect(granted).toBe(0);
      expect(wait).toBeGreaterThan(90_000);
    }
    expect(await two.take(2, 1, 'background')).toMatchObject({ granted: 1 });
  });

  it('count concurrent failures as one and reset the number after a success', async () => {
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

  it('let one call out after a failure, until it has succeeded', async () => {
    const [one, two] = limits();
    await one.recordFailure(1, throttled);
    await crawler.endBackoff();
    expect(await two.take(1, 20, 'background')).toMatchObject({ granted: 1 });
    expect(await one.take(1, 1, 'interactive')).toMatchObject({ granted: 0 });
    await two.recordSuccess(1);
    expect((await one.take(1, 1, 'interactive')).granted).toBe(1);
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
    expect(await rate()).toBe(2);
    await crawler.endBackoff();
    await one.recordFailure(1, throttled);
    expect(await rate()).toBe(1);
    await crawler.endBackoff();
    await one.recordSuccess(1);
    expect(await rate()).toBeCloseTo(1.2);
    for (let success = 0; success < 14; success += 1) await two.recordSuccess(1);
    expect(await rate()).toBeNull();
  });

  it('do not lower the rate when credentials are not accepted, and try new ones at once', async () => {
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
