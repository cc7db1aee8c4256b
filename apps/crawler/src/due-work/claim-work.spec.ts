import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registrationsCrawled } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { eventually } from '@registrar/testing';
import * as z from 'zod';
import { type CrawlerFixture, type Replica, startCrawlerFixture } from '../crawler.fixture.ts';
import { type Claim } from './claim.ts';
import { ClaimWork } from './claim-work.ts';
import { DueRegistrations } from './due-registrations.ts';
import { Leases } from './leases.ts';

describe('claims of work', () => {
  let crawler: CrawlerFixture;
  let other: Replica;

  beforeAll(async () => {
    crawler = await startCrawlerFixture();
    other = await crawler.startReplica();
  });
  beforeEach(async () => {
    await crawler.reset();
    crawler.provider.pageSize = 1;
  });
  afterAll(() => crawler.stopAll());

  const add = async (...sizes: number[]) => {
    for (const [index, size] of sizes.entries()) {
      const account = crawler.addApplication(index + 1);
      for (let each = 0; each < size; each += 1) account.addRegistration(`r${each}`, 'swimming');
    }
    await crawler.refresh();
  };
  const claimed = async (replica: Replica): Promise<Claim> => {
    const claim = await replica.claim();
    if (!claim) throw new Error('nothing is due');
    return claim;
  };
  const expireLeases = () =>
    crawler.database.execute(sql`UPDATE applications SET lease_until = now() - interval '1 s'`);

  it('alternate between applications, however much work each has', async () => {
    await add(8, 1);
    const work = await crawler.crawlDue();
    expect(work.map((claim) => claim.applicationId)).toEqual([1, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('alternate between the kinds of work of an application', async () => {
    await add(4);
    const due = crawler.app.get(DueRegistrations);
    await due.scheduleNow(1, ['x', 'y']);
    const work = await crawler.crawlDue();
    expect(work.slice(0, 3).map((claim) => claim.kind)).toEqual([
      'changed-registrations',
      'courses',
      'registrations-by-name',
    ]);
  });

  it('claims of work leave out applications of disabled realms, and continue when they are enabled', async () => {
    await add(1, 1);
    crawler.setPaused(1, true);
    await crawler.refresh();
    await crawler.app.get(DueRegistrations).scheduleNow(1, ['r0']);
    const served = async () =>
      new Set((await crawler.crawlDue()).map((work) => work.applicationId));
    expect(await served()).toEqual(new Set([2]));
    crawler.setPaused(1, false);
    await crawler.refresh();
    expect(await served()).toEqual(new Set([1]));
  });

  it('claims of work give an application to one replica at a time', async () => {
    await add(3);
    const claim = await claimed(crawler);
    expect(await other.claim()).toBeNull();
    await crawler.perform(claim);
    expect(await claimed(other)).toMatchObject({ applicationId: 1 });
  });

  it('claims of work give each application to one replica when several claim concurrently', async () => {
    await add(1, 1, 1, 1);
    const replicas = [crawler, other, crawler, other, crawler, other];
    const claims = await Promise.all(replicas.map((replica) => replica.claim()));
    const applications = claims.flatMap((claim) => (claim ? [claim.applicationId] : []));
    expect(new Set(applications).size).toBe(applications.length);
  });

  it('claims of work write nothing after their lease has expired and another replica has claimed the work', async () => {
    await add(2);
    await crawler.database.execute(
      sql`UPDATE due_crawls SET due_at = 'infinity' WHERE kind = 'courses'`,
    );
    const late = await claimed(crawler);
    await expireLeases();
    const next = await claimed(other);
    await crawler.perform(late);
    expect(await crawler.published(registrationsCrawled)).toEqual([]);
    expect(await crawler.history(1)).toEqual([]);

    await other.perform(next);
    await crawler.perform(late);
    expect(await crawler.published(registrationsCrawled)).toHaveLength(1);
    const progress = await crawler.database.one(
      z.object({ items: z.number(), failures: z.number() }),
      sql`SELECT items, failures FROM due_crawls WHERE kind = 'changed-registrations'`,
    );
    expect(progress).toEqual({ items: 1, failures: 0 });
  });

  it('claims of work write nothing after their lease has expired, even if no replica has claimed the work', async () => {
    await add(1);
    const late = await claimed(crawler);
    await expireLeases();
    await crawler.app.get(Leases).renew(late);
    await crawler.perform(late);
    expect(await crawler.published(registrationsCrawled)).toEqual([]);
    expect(await crawler.history(1)).toEqual([]);
  });

  it('claims of work can be released: another replica claims the work at once, and the first one writes nothing', async () => {
    await add(1);
    const released = await claimed(crawler);
    await crawler.app.get(Leases).release([released]);
    const next = await claimed(other);
    await crawler.perform(released);
    expect(await crawler.published(registrationsCrawled)).toEqual([]);
    expect(next.applicationId).toBe(1);
  });

  it('claims of work are refused while the outbox holds 500 events', async () => {
    await add(1);
    await crawler.database.execute(sql`
      INSERT INTO outbox (name, payload, subscribers, request_id, next_attempt_at)
      SELECT 'crawler.courses-crawled', '{}', '{catalog}', 'r', now() + interval '1 hour'
      FROM generate_series(1, 500)`);
    expect(await crawler.claim()).toBeNull();
    await crawler.clearOutbox();
    expect(await crawler.claim()).not.toBeNull();
  });

  it('claims of work wait for the rate limit without a lease', async () => {
    await add(1);
    await crawler.database.execute(sql`UPDATE applications SET rate_per_second = 2`);
    await crawler.database.execute(sql`
      INSERT INTO rate_limits (application_id, tokens, crawl_tokens, refilled_at)
      VALUES (1, 0, 0, now() + interval '1 hour')`);
    const wait = await eventually('the wait is read before it is over', async () => {
      await crawler.endBackoff();
      expect(await crawler.claim()).toBeNull();
      return crawler.app.get(ClaimWork).untilNextCall();
    });
    // The limit refills 1.62 calls a second.
    expect(wait).toBeLessThanOrEqual(618);
    await crawler.database.execute(sql`UPDATE rate_limits SET tokens = 200, crawl_tokens = 1`);
    expect(await crawler.claim()).toBeNull();
    await crawler.endBackoff();
    expect(await crawler.claim()).toMatchObject({ applicationId: 1 });
  });
});
