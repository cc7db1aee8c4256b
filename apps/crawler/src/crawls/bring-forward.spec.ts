import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bringForward, registrationsCrawled } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';
import { DueRegistrations } from '../due-work/due-registrations.ts';

describe('crawls that are brought forward', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture();
  });
  beforeEach(async () => {
    await crawler.reset();
    const account = crawler.addApplication(1);
    for (const guid of ['a', 'b']) account.addRegistration(guid, 'swimming');
    await crawler.refresh();
    await crawler.crawlDue();
    await crawler.clearOutbox();
  });
  afterAll(() => crawler.stopAll());

  const request = (registrationGuid: string, applicationId = 1) =>
    crawler.bus.request(bringForward, { applicationId, registrationGuid });
  const rows = () =>
    crawler.database.many(
      z.object({ guid: z.string(), step: z.number(), dueAt: z.string(), isDue: z.boolean() }),
      sql`SELECT registration_guid AS guid, step, due_at::text AS "dueAt", due_at <= now() AS "isDue"
          FROM due_registrations ORDER BY registration_guid`,
    );
  const microsecondsBetween = async (first: { dueAt: string }, second: { dueAt: string }) => {
    const { microseconds } = await crawler.database.one(
      z.object({ microseconds: z.number() }),
      sql`SELECT (extract(epoch FROM ${second.dueAt}::timestamptz - ${first.dueAt}::timestamptz)
                  * 1000000)::float8 AS microseconds`,
    );
    return microseconds;
  };
  const schedule = (guid: string, delaySeconds: number, step: number) =>
    crawler.database.execute(sql`
      INSERT INTO due_registrations (application_id, registration_guid, due_at, step)
      VALUES (1, ${guid}, now() + ${delaySeconds} * interval '1 s', ${step})`);
  const fill = (count: number) =>
    crawler.database.execute(sql`
      INSERT INTO due_registrations (application_id, registration_guid, due_at, step)
      SELECT 1, 'other-' || n, now(), 5 FROM generate_series(1, ${count}::integer) AS n`);
  const isListDue = async () => {
    const { isDue } = await crawler.database.one(
      z.object({ isDue: z.boolean() }),
      sql`SELECT due_at <= now() AS "isDue" FROM due_crawls
          WHERE application_id = 1 AND kind = 'changed-registrations'`,
    );
    return isDue;
  };
  const crawledGuids = async () =>
    (await crawler.published(registrationsCrawled)).flatMap(({ outcomes }) =>
      outcomes.map(({ registrationGuid }) => registrationGuid),
    );

  it('crawls that are brought forward read the registration by its GUID, once', async () => {
    await request('a');
    expect(await rows()).toMatchObject([{ guid: 'a', step: 5, isDue: true }]);
    expect(await crawler.crawlDue()).toMatchObject([
      { kind: 'registrations-by-name', due: [{ registrationGuid: 'a' }] },
    ]);
    expect(await crawledGuids()).toEqual(['a']);
    expect(await rows()).toEqual([]);
  });

  it('crawls of a launched registration begin now, and the crawls after the launch go on', async () => {
    await schedule('a', 600, 2);
    await request('a');
    expect(await rows()).toMatchObject([{ guid: 'a', step: 2, isDue: true }]);
    await crawler.crawlDue();
    expect(await rows()).toMatchObject([{ guid: 'a', step: 3, isDue: false }]);
  });

  it('crawls that are brought forward are unchanged by repetitions while the registration is due', async () => {
    await schedule('a', -600, 2);
    const before = await rows();
    await Promise.all([request('a'), request('a'), request('a')]);
    expect(await rows()).toEqual(before);
  });

  it('crawls that are brought forward are repeated for a change during the crawl, but not postponed', async () => {
    await request('a');
    const [first] = await rows();
    const claim = await crawler.claim();
    await request('a');
    await crawler.perform(claim!);
    const [second] = await rows();
    expect(second).toMatchObject({ guid: 'a', step: 5, isDue: true });
    // Another due time, as early as possible.
    expect(await microsecondsBetween(first!, second!)).toBe(1);
    await crawler.crawlDue();
    expect(await crawledGuids()).toEqual(['a', 'a']);
    expect(await rows()).toEqual([]);
  });

  it.each(['INCOMPLETE', 'COMPLETED'])(
    'crawls that are brought forward are made although a list has the registration %s that was requested before',
    async (registrationCompletion) => {
      const account = crawler.account(1);
      account.change('a', { registrationCompletion, updated: new Date().toISOString() });
      await crawler.makeDue(1, 'changed-registrations');
      const responses = crawler.holdResponses(({ path }) => path === 'registrations');
      const requested = crawler.requestArrives(({ path }) => path === 'registrations');
      const crawl = crawler.claim().then((claim) => crawler.perform(claim!));
      await requested;
      await request('a');
      responses.release();
      await crawl;
      expect(await crawledGuids()).toContain('a');
      expect(await rows()).toMatchObject([{ guid: 'a', isDue: true }]);
    },
  );

  it.each(['INCOMPLETE', 'COMPLETED'])(
    'crawls that are brought forward again while a list is read that has the registration %s are made',
    async (registrationCompletion) => {
      const account = crawler.account(1);
      account.change('a', { registrationCompletion, updated: new Date().toISOString() });
      await crawler.makeDue(1, 'changed-registrations');
      const claim = await crawler.claim();
      // Due before the list is requested.
      await request('a');
      const responses = crawler.holdResponses(({ path }) => path === 'registrations');
      const requested = crawler.requestArrives(({ path }) => path === 'registrations');
      const crawl = crawler.perform(claim!);
      await requested;
      await request('a');
      responses.release();
      await crawl;
      expect(await rows()).toMatchObject([{ guid: 'a', isDue: true }]);
    },
  );

  it.each([false, true])(
    'crawls that are brought forward while a page of a list is being stored are made (complete: %s)',
    async (complete) => {
      const due = crawler.app.get(DueRegistrations);
      const requestedAt = new Date();
      const begun = Promise.withResolvers<void>();
      const brought = Promise.withResolvers<void>();
      const stored = crawler.database.transaction(async () => {
        // The time of the transaction, which is before that of the request.
        await crawler.database.execute(sql`SELECT now()`);
        begun.resolve();
        await brought.promise;
        const listed = [{ registrationGuid: 'a', complete }];
        await due.postpone(1, listed, { intervalSeconds: 30, crawlType: 'course' }, requestedAt);
      });
      await begun.promise;
      await request('a');
      brought.resolve();
      await stored;
      expect(await rows()).toMatchObject([{ guid: 'a', isDue: true }]);
    },
  );

  it('crawls that are brought forward are not made for an unknown or a paused application', async () => {
    await request('a', 2);
    crawler.setPaused(1, true);
    await crawler.refresh();
    await request('a');
    expect(await rows()).toEqual([]);
  });

  it('crawls that are brought forward become one crawl of the changed registrations while a thousand registrations are due', async () => {
    await fill(999);
    await request('a');
    expect(await isListDue()).toBe(false);
    await request('b');
    expect(await rows()).toHaveLength(1_000);
    expect((await rows()).map(({ guid }) => guid)).not.toContain('b');
    expect(await isListDue()).toBe(true);
  });

  it('crawls that are brought forward do not end the backoff of a list that fails', async () => {
    await fill(1_000);
    await crawler.database.execute(sql`
      UPDATE due_crawls SET failures = 2 WHERE kind = 'changed-registrations'`);
    await request('a');
    expect(await isListDue()).toBe(false);
  });

  it('crawls that are brought forward begin at once in the replica that handles the request', async () => {
    const replica = await crawler.startReplica({ loops: true });
    for (const guid of ['a', 'b']) {
      const requested = crawler.requestArrives(({ path }) => path === `registrations/${guid}`);
      await replica.bus.request(bringForward, { applicationId: 1, registrationGuid: guid });
      await requested;
    }
    await replica.stop();
  });
});
