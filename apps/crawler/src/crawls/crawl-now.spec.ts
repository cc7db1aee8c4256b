import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { crawlRegistrations, registrationsCrawled } from '#libs/contracts';
import { runOperation } from '#libs/platform';
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
    await crawler.database.query('TRUNCATE outbox');
  });
  afterAll(() => crawler.stopAll());

  const ask = (registrationGuids: string[], applicationId = 1) =>
    crawler.bus.request(crawlRegistrations, { applicationId, registrationGuids });
  const dueGuids = async () => {
    const rows = await crawler.database.query<{ guid: string }>(
      'SELECT registration_guid AS guid FROM due_registrations ORDER BY 1',
    );
    return rows.map((row) => row.guid);
  };

  it('answers what became of each, and publishes nothing', async () => {
    crawler.provider.intercept = ({ path }) =>
      path === 'registrations/b' ? { status: 400, body: { message: 'It is locked.' } } : undefined;
    const reply = await ask(['a', 'b', 'gone', 'a']);
    expect(reply).toMatchObject({ crawlType: 'course' });
    expect(reply.outcomes.toSorted((one, two) => (one.outcome < two.outcome ? -1 : 1))).toEqual([
      { outcome: 'crawled', registrationGuid: 'a', result: expect.anything() },
      { outcome: 'deleted', registrationGuid: 'gone' },
      { outcome: 'failed', registrationGuid: 'b', errorCode: '400', errorMessage: 'It is locked.' },
    ]);
    expect(await crawler.published(registrationsCrawled)).toEqual([]);
    expect(await dueGuids()).toEqual([]);
  });

  it('takes its sequence before it asks', async () => {
    const hold = crawler.holdBack(({ path }) => path === 'registrations/a');
    const isAsked = crawler.asked(({ path }) => path === 'registrations/a');
    const slow = ask(['a']);
    await isAsked;
    const quick = await ask(['b']);
    hold.release();
    expect((await slow).sequence).toBeLessThan(quick.sequence);
  });

  it('leaves out what is not answered in time, and crawls it soon after', async () => {
    const hold = crawler.holdBack(({ path }) => path === 'registrations/b');
    const operation = { requestId: 'r', deadline: Date.now() + 1_500 };
    const reply = await runOperation(operation, () => ask(['a', 'b']));
    expect(reply.outcomes).toMatchObject([{ outcome: 'crawled', registrationGuid: 'a' }]);
    expect(await dueGuids()).toEqual(['b']);

    hold.release();
    await crawler.crawlDue();
    const [event] = await crawler.published(registrationsCrawled);
    expect(event?.outcomes).toMatchObject([{ outcome: 'crawled', registrationGuid: 'b' }]);
    expect(event?.sequence).toBeGreaterThan(reply.sequence);
    expect(await dueGuids()).toEqual([]);
  });

  it('stops asking a provider that is away', async () => {
    crawler.provider.intercept = () => ({
      status: 503,
      headers: { 'retry-after': '60' },
      body: { message: 'Back soon.' },
    });
    const guids = Array.from({ length: 100 }, (_, index) => `r${index}`);
    const before = crawler.provider.requests.length;
    const { outcomes } = await ask(guids);
    expect(crawler.provider.requests.length - before).toBeLessThanOrEqual(8);
    expect(outcomes.length).toBeLessThanOrEqual(8);
    expect(outcomes[0]).toMatchObject({ outcome: 'failed', errorCode: '503' });
    expect((await dueGuids()).length).toBe(100 - outcomes.length);
    expect((await crawler.history(1)).at(-1)).toMatchObject({
      kind: 'on-demand',
      outcome: 'failed',
    });
  });

  it('says nothing of registrations when it is throttled', async () => {
    crawler.provider.intercept = () => ({ status: 429, body: { message: 'Slow down.' } });
    expect((await ask(['a'])).outcomes).toEqual([]);
    expect(await dueGuids()).toEqual(['a']);
  });

  it('fails for an application that identity does not know', async () => {
    await expect(ask(['a'], 99)).rejects.toMatchObject({ code: 'not-found' });
  });
});
