import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { registrationsCrawled } from '#libs/contracts';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';
import { EnrolmentEvents } from '../due-work/enrolment-events.ts';

describe('registrations that are crawled by name', () => {
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
    await crawler.database.query('TRUNCATE outbox');
  });
  afterAll(() => crawler.stopAll());

  const event = (registrationGuid: string) => ({
    applicationId: 1,
    registrationGuid,
    courseGuid: 'swimming',
    at: '2026-03-01T12:00:00Z',
  });
  const events = () => crawler.app.get(EnrolmentEvents);
  /** Each with the seconds until it is due, from now on. */
  const due = () =>
    crawler.database.query<{ guid: string; step: number; seconds: number }>(
      `SELECT registration_guid AS guid, step,
              round(extract(epoch FROM due_at - now()) / 30)::int * 30 AS seconds
       FROM due_registrations ORDER BY 1`,
    );
  const isTime = () => crawler.database.query('UPDATE due_registrations SET due_at = now()');
  const outcomes = async () =>
    (await crawler.published(registrationsCrawled)).flatMap((each) => each.outcomes);

  it('are asked for soon after a launch, and then ever more rarely', async () => {
    await events().launched(event('a'));
    expect(await due()).toEqual([{ guid: 'a', step: 0, seconds: 30 }]);
    await isTime();
    await crawler.crawlDue();
    expect(await outcomes()).toMatchObject([{ outcome: 'crawled', registrationGuid: 'a' }]);
    expect(await due()).toEqual([{ guid: 'a', step: 1, seconds: 120 }]);
    await isTime();
    await crawler.crawlDue();
    expect(await due()).toEqual([{ guid: 'a', step: 2, seconds: 480 }]);
  });

  it('begin anew with each launch', async () => {
    await events().launched(event('a'));
    await isTime();
    await crawler.crawlDue();
    await events().launched(event('a'));
    expect(await due()).toEqual([{ guid: 'a', step: 0, seconds: 30 }]);
  });

  it('are left alone once they are complete or gone', async () => {
    await events().launched(event('a'));
    await events().launched(event('gone'));
    crawler.account(1).change('a', { registrationCompletion: 'COMPLETED' });
    await isTime();
    await crawler.crawlDue();
    expect((await outcomes()).map((each) => each.outcome).toSorted()).toEqual([
      'crawled',
      'deleted',
    ]);
    expect(await due()).toEqual([]);
  });

  it('are left alone when a list shows that they are complete, and wait when not', async () => {
    await events().launched(event('a'));
    await events().launched(event('b'));
    crawler.account(1).change('a', { registrationCompletion: 'COMPLETED' });
    await isTime();
    await crawler.database.query(`UPDATE due_registrations SET due_at = due_at + interval '3 s'`);
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.crawlDue();
    expect(await due()).toEqual([{ guid: 'b', step: 0, seconds: 30 }]);
    expect(crawler.provider.requestsTo('registrations/b')).toEqual([]);
  });

  it('are asked for once after their creation', async () => {
    await events().created(event('a'));
    await isTime();
    await crawler.crawlDue();
    expect(await outcomes()).toHaveLength(1);
    expect(await due()).toEqual([]);
  });

  it('keep the turn that a launch gives them while they are crawled', async () => {
    await events().created(event('a'));
    await isTime();
    const claim = await crawler.claim();
    await events().launched(event('a'));
    if (claim) await crawler.perform(claim);
    expect(await due()).toMatchObject([{ guid: 'a', step: 0 }]);
  });

  it('tell of a failure, and wait for a provider that is away', async () => {
    await events().launched(event('a'));
    await isTime();
    crawler.provider.intercept = () => ({
      status: 500,
      body: { message: 'Something broke.' },
    });
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

  it('bring the crawl of what has changed forward when they are launched', async () => {
    const schedule = () =>
      crawler.database.query(
        `SELECT interval_seconds AS interval, due_at <= now() + interval '30 s' AS soon
         FROM due_crawls WHERE kind = 'changed-registrations'`,
      );
    await crawler.database.query(
      `UPDATE due_crawls SET interval_seconds = 300, due_at = now() + interval '300 s'
       WHERE kind = 'changed-registrations'`,
    );
    await events().launched(event('a'));
    expect(await schedule()).toEqual([{ interval: 30, soon: true }]);
  });
});
