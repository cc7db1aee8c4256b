import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CourseProviderError } from '#libs/course-provider';
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
  /** Nothing is refilled while a suite runs. */
  const fill = async (applicationId: number, tokens: number) => {
    await crawler.database.query(
      `INSERT INTO rate_limits (application_id, tokens, refilled_at)
       VALUES ($1, $2, now() + interval '1 hour')`,
      [applicationId, tokens],
    );
  };
  const throttled = new CourseProviderError({
    kind: 'throttled',
    providerCode: '429',
    providerMessage: 'Too many requests.',
    method: 'GET',
    url: 'https://provider.example.com/api/v2/registrations',
    retryAfter: 100,
  });

  it('are one for all replicas', async () => {
    await fill(1, 8);
    const takes = Array.from({ length: 20 }, (_, index) =>
      limits()[index % 2 ? 1 : 0].take(1, 1, 'interactive'),
    );
    const granted = (await Promise.all(takes)).reduce((sum, take) => sum + take.granted, 0);
    expect(granted).toBe(8);
  });

  it('keep a share for those who wait', async () => {
    await fill(1, 8);
    const [one, two] = limits();
    expect(await one.take(1, 20, 'background')).toEqual({ granted: 6, wait: 0 });
    expect(await two.take(1, 1, 'background')).toMatchObject({ granted: 0 });
    expect(await two.take(1, 20, 'interactive')).toEqual({ granted: 2, wait: 0 });
  });

  it('begin full for an application that nobody has heard of', async () => {
    expect(await limits()[0].take(9, 100, 'interactive')).toEqual({ granted: 8, wait: 0 });
  });

  it('pause for all replicas and lanes as long as the provider wants, and for no other', async () => {
    const [one, two] = limits();
    await one.slowDown(1, throttled);
    for (const lane of ['interactive', 'background'] as const) {
      const { granted, wait } = await two.take(1, 1, lane);
      expect(granted).toBe(0);
      expect(wait).toBeGreaterThan(90_000);
    }
    expect(await two.take(2, 1, 'background')).toMatchObject({ granted: 1 });
  });

  it('count failures side by side as one, and forget them after a success', async () => {
    const [one, two] = limits();
    const failures = async () => {
      const [row] = await crawler.database.query<{ failures: number }>(
        'SELECT failures FROM rate_limits WHERE application_id = 1',
      );
      return row?.failures;
    };
    await Promise.all([one.slowDown(1, throttled), two.slowDown(1, throttled)]);
    expect(await failures()).toBe(1);
    await crawler.passTime();
    await one.slowDown(1, throttled);
    expect(await failures()).toBe(2);
    await crawler.passTime();
    await one.recovered(1);
    expect(await failures()).toBe(0);
  });
});
