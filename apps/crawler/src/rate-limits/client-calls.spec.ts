import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reportThrottledCall, takeProviderCalls } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';
import { RateLimits } from './rate-limits.ts';

describe('calls that other contexts make for clients', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture({ APPLICATION_CALLS_PER_SECOND: 40 });
  });
  beforeEach(() => crawler.reset());
  afterAll(() => crawler.stopAll());

  const take = (calls = 1, spare = 0) =>
    crawler.bus.request(takeProviderCalls, { applicationId: 1, calls, spare });

  it('calls that other contexts make for clients share the limit of the application with crawls', async () => {
    await crawler.database.execute(sql`
      INSERT INTO rate_limits (application_id, tokens, crawl_tokens, refilled_at)
      VALUES (1, 2, 3, now() + interval '1 hour')`);
    expect(await take()).toEqual({ granted: 1, waitMs: 0 });
    const { granted } = await crawler.app.get(RateLimits).take(1, 1, 'background');
    expect(granted).toBe(1);
    // The limit refills 32.4 calls a second, and nothing of it before the next hour.
    expect(await take()).toEqual({ granted: 0, waitMs: 31 });
  });

  it('calls that other contexts make for clients are granted in part when fewer are left', async () => {
    await crawler.database.execute(sql`
      INSERT INTO rate_limits (application_id, tokens, crawl_tokens, refilled_at)
      VALUES (1, 4, 3, now() + interval '1 hour')`);
    expect(await take(3)).toEqual({ granted: 3, waitMs: 0 });
    const { granted, waitMs } = await take(40);
    expect(granted).toBe(1);
    expect(waitMs).toBeGreaterThan(0);
  });

  it('calls that other contexts make for clients include some to spare, at most half of what is left', async () => {
    await crawler.database.execute(sql`
      INSERT INTO rate_limits (application_id, tokens, crawl_tokens, refilled_at)
      VALUES (1, 4, 3, now() + interval '1 hour')`);
    expect(await take(1, 100)).toEqual({ granted: 2, waitMs: 0 });
    expect(await take(1, 100)).toEqual({ granted: 1, waitMs: 0 });
    expect(await take(1, 100)).toEqual({ granted: 1, waitMs: 0 });
    expect(await take(1, 100)).toMatchObject({ granted: 0 });
  });

  it('calls that other contexts make for clients are never granted twice, however many ask at once', async () => {
    await crawler.database.execute(sql`
      INSERT INTO rate_limits (application_id, tokens, crawl_tokens, refilled_at)
      VALUES (1, 4, 3, now() + interval '1 hour')`);
    const replies = await Promise.all(Array.from({ length: 8 }, () => take(1, 2)));
    expect(replies.reduce((sum, { granted }) => sum + granted, 0)).toBe(4);
  });

  it('refill both buckets as crawls do', async () => {
    await take();
    await crawler.database.execute(sql`
      UPDATE rate_limits SET tokens = 0, crawl_tokens = 0, refilled_at = now() - interval '50 ms'`);
    expect(await take()).toEqual({ granted: 1, waitMs: 0 });
    const { tokens, crawlTokens } = await crawler.database.one(
      z.object({ tokens: z.number(), crawlTokens: z.number() }),
      sql`SELECT tokens, crawl_tokens AS "crawlTokens" FROM rate_limits`,
    );
    // Clients have 40 calls in any second, crawls three quarters of them.
    expect(tokens + 1).toBeCloseTo(crawlTokens / 0.75, 2);
  });

  it('pause the application when its provider was asked too often', async () => {
    await crawler.bus.request(reportThrottledCall, { applicationId: 1, retryAfter: 1_000 });
    expect((await take()).waitMs).toBeGreaterThan(600_000);
    const { wait } = await crawler.app.get(RateLimits).take(1, 1, 'background');
    expect(wait).toBeGreaterThan(600_000);
  });
});
