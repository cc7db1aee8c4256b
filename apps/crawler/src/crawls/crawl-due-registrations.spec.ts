import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arrivedEvents } from '@registrar/bus/testing';
import {
  registrationCreated,
  registrationLaunched,
  registrationsCrawled,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';
import { ScheduleRegistration } from '../due-work/schedule-registration.ts';

describe('registrations that are crawled by their GUIDs', () => {
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

  const event = (registrationGuid: string) => ({
    applicationId: 1,
    registrationGuid,
    courseGuid: 'swimming',
    at: '2026-03-01T12:00:00Z',
  });
  const schedule = () => crawler.app.get(ScheduleRegistration);
  const scheduleAfterCreate = (...events: ReturnType<typeof event>[]) =>
    schedule().scheduleAfterCreate(arrivedEvents(crawler.database, registrationCreated, events));
  const scheduleAfterLaunch = (...events: ReturnType<typeof event>[]) =>
    schedule().scheduleAfterLaunch(arrivedEvents(crawler.database, registrationLaunched, events));
  /** Returns the scheduled registrations with the seconds until they are due, without jitter. */
  const due = () =>
    crawler.database.many(
      z.object({ guid: z.string(), step: z.number(), seconds: z.number() }),
      sql`SELECT registration_guid AS guid, step,
                 CASE WHEN due_at > now()
                   THEN (30 * 4 ^ round(log(4.0, extract(epoch FROM due_at - now()) / 30)))::integer
                   ELSE 0 END AS seconds
          FROM due_registrations ORDER BY 1`,
    );
  const makeDue = () => crawler.database.execute(sql`UPDATE due_registrations SET due_at = now()`);
  const outcomes = async () =>
    (await crawler.published(registrationsCrawled)).flatMap((each) => each.outcomes);

  it('registrations that are crawled by their GUIDs are crawled after the shortest interval from a launch and then at growing intervals', async () => {
    await scheduleAfterLaunch(event('a'));
    expect(await due()).toEqual([{ guid: 'a', step: 0, seconds: 30 }]);
    await makeDue();
    await crawler.crawlDue();
    expect(await outcomes()).toMatchObject([{ outcome: 'crawled', registrationGuid: 'a' }]);
    expect(await due()).toEqual([{ guid: 'a', step: 1, seconds: 120 }]);
    await makeDue();
    await crawler.crawlDue();
    expect(await due()).toEqual([{ guid: 'a', step: 2, seconds: 480 }]);
  });

  it('registrations that are crawled by their GUIDs are scheduled once when several events concern them at a time', async () => {
    await scheduleAfterCreate(event('b'), event('a'), event('b'));
    await scheduleAfterLaunch(event('b'), event('b'));
    expect(await due()).toMatchObject([{ guid: 'a' }, { guid: 'b', step: 0 }]);
  });

  it('registrations that are crawled by their GUIDs return to the shortest interval with each launch', async () => {
    await scheduleAfterLaunch(event('a'));
    await makeDue();
    await crawler.crawlDue();
    await scheduleAfterLaunch(event('a'));
    expect(await due()).toEqual([{ guid: 'a', step: 0, seconds: 30 }]);
  });

  it('registrations that are crawled by their GUIDs are no longer scheduled once they are complete or deleted', async () => {
    await scheduleAfterLaunch(event('a'));
    await scheduleAfterLaunch(event('gone'));
    crawler.account(1).change('a', { registrationCompletion: 'COMPLETED' });
    await makeDue();
    await crawler.crawlDue();
    expect((await outcomes()).map((each) => each.outcome).toSorted()).toEqual([
      'crawled',
      'deleted',
    ]);
    expect(await due()).toEqual([]);
  });

  it('registrations that are crawled by their GUIDs are no longer scheduled when a list shows them as complete, and are postponed when it does not', async () => {
    await scheduleAfterLaunch(event('a'));
    await scheduleAfterLaunch(event('b'));
    crawler.account(1).change('a', { registrationCompletion: 'COMPLETED' });
    await makeDue();
    await crawler.database.execute(
      sql`UPDATE due_registrations SET due_at = due_at + interval '3 s'`,
    );
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.crawlDue();
    expect(await due()).toEqual([{ guid: 'b', step: 0, seconds: 30 }]);
    expect(crawler.provider.requestsTo('registrations/b')).toEqual([]);
  });

  it('registrations that are crawled by their GUIDs are crawled once after their creation', async () => {
    await scheduleAfterCreate(event('a'));
    await makeDue();
    await crawler.crawlDue();
    expect(await outcomes()).toHaveLength(1);
    expect(await due()).toEqual([]);
  });

  it('registrations that are crawled by their GUIDs stay scheduled when they are launched during their crawl', async () => {
    await scheduleAfterCreate(event('a'));
    await makeDue();
    const claim = await crawler.claim();
    await scheduleAfterLaunch(event('a'));
    if (claim) await crawler.perform(claim);
    expect(await due()).toMatchObject([{ guid: 'a', step: 0 }]);
  });

  it('registrations that are crawled by their GUIDs stay due, and none fails, while the provider fails every call', async () => {
    await scheduleAfterLaunch(event('a'));
    await makeDue();
    crawler.provider.intercept = () => ({ status: 500, body: { message: 'Something broke.' } });
    await crawler.crawlDue();
    expect(await outcomes()).toEqual([]);
    expect(await due()).toMatchObject([{ guid: 'a', step: 0 }]);
    expect((await crawler.history(1)).at(-1)).toMatchObject({
      kind: 'registrations-by-name',
      outcome: 'failed',
      items: 0,
    });
  });

  it('registrations that are crawled by their GUIDs do not pause the others when the provider fails for one of them', async () => {
    for (const guid of ['a', 'b']) await scheduleAfterLaunch(event(guid));
    await makeDue();
    crawler.provider.intercept = ({ path }) =>
      path === 'registrations/a' ? { status: 500, body: { message: 'It broke.' } } : undefined;
    await crawler.crawlDue();
    expect((await outcomes()).map((each) => each.outcome).toSorted()).toEqual([
      'crawled',
      'failed',
    ]);
    expect((await crawler.history(1)).at(-1)).toMatchObject({ outcome: 'done', items: 2 });
  });

  it('registrations that are crawled by their GUIDs are reported as failed and retried later when the provider fails for them alone', async () => {
    await scheduleAfterLaunch(event('a'));
    await makeDue();
    crawler.provider.intercept = ({ path }) =>
      path.startsWith('registrations/')
        ? { status: 500, body: { message: 'Something broke.' } }
        : undefined;
    await crawler.crawlDue();
    expect(await outcomes()).toEqual([
      {
        outcome: 'failed',
        registrationGuid: 'a',
        errorCode: '500',
        errorMessage: 'Something broke.',
      },
    ]);
    expect(await due()).toEqual([{ guid: 'a', step: 1, seconds: 120 }]);
    expect((await crawler.history(1)).at(-1)).toMatchObject({
      kind: 'registrations-by-name',
      outcome: 'failed',
    });
  });

  it('registrations that are crawled by their GUIDs bring the crawl of changed registrations forward when they are launched', async () => {
    await crawler.database.execute(sql`
      UPDATE due_crawls SET interval_seconds = 300, due_at = now() + interval '300 s'
      WHERE kind = 'changed-registrations'`);
    await scheduleAfterLaunch(event('a'));
    const crawl = await crawler.database.one(
      z.object({ interval: z.number(), isSoon: z.boolean() }),
      sql`SELECT interval_seconds AS interval, due_at <= now() + interval '30 s' AS "isSoon"
          FROM due_crawls WHERE kind = 'changed-registrations'`,
    );
    expect(crawl).toEqual({ interval: 30, isSoon: true });
  });
});
