import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arrivedEvents } from '@registrar/bus/testing';
import {
  configureCrawls,
  crawlerAudited,
  listCrawls,
  registrationLaunched,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';
import { ScheduleRegistration } from '../due-work/schedule-registration.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';

describe('the configuration of crawls', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture();
  });
  beforeEach(async () => {
    await crawler.reset();
    for (const id of [1, 2]) crawler.addApplication(id).addRegistration('a', 'swimming');
    await crawler.refresh();
    await crawler.crawlDue();
  });
  afterAll(() => crawler.stopAll());

  const configure = (parts: Omit<Parameters<typeof request>[0], 'application'>) =>
    request({ application: 1, ...parts });
  const request = (input: z.input<typeof configureCrawls.input>) =>
    crawler.bus.request(configureCrawls, input);
  const states = async () => {
    const listed: string[] = [];
    for await (const { items } of crawler.bus.pages(listCrawls, { applications: null })) {
      listed.push(...items.map(({ state }) => state));
    }
    return listed;
  };
  const intervalsOf = async (kind: string) => {
    const rows = await crawler.database.many(
      z.object({ seconds: z.number() }),
      sql`SELECT interval_seconds AS seconds FROM due_crawls
          WHERE kind = ${kind} ORDER BY application_id`,
    );
    return rows.map(({ seconds }) => seconds);
  };

  it('a configuration keeps what is not given, and returns to settings and defaults for null', async () => {
    expect(await configure({ rate: 5, interval: 60 })).toEqual({
      limit: null,
      rate: 5,
      interval: 60,
      type: null,
      paused: false,
    });
    expect(await configure({ type: 'full', rate: null, limit: 80 })).toEqual({
      limit: 80,
      rate: null,
      interval: 60,
      type: 'full',
      paused: false,
    });
    await expect(request({ application: 9, rate: 5 })).rejects.toThrow(
      'the crawler knows no such application',
    );
  });

  it('a configuration is in the audit log with what was given, and a refused one is not', async () => {
    await crawler.clearOutbox();
    await configure({ rate: 5, type: null });
    await configure({ paused: true });
    await expect(request({ application: 9, paused: true })).rejects.toThrow();
    const act = { action: 'crawl.configured', actor: { kind: 'operator' }, realmId: 7 };
    const acts = await crawler.published(crawlerAudited);
    expect(acts).toMatchObject([act, act]);
    expect(acts.map(({ subject }) => subject)).toEqual([
      { application_id: 1, rate: 5, type: null },
      { application_id: 1, paused: true },
    ]);
  });

  it('sets the rate of one application', async () => {
    await configure({ rate: 30, limit: 50 });
    const limits = crawler.app.get(RateLimits);
    await crawler.database.execute(sql`TRUNCATE rate_limits`);
    expect(await limits.take(1, 100, 'background')).toMatchObject({ granted: 3 });
    // Nothing is refilled meanwhile.
    await crawler.database.execute(
      sql`UPDATE rate_limits SET refilled_at = now() + interval '1 hour'`,
    );
    expect(await limits.take(1, 100, 'client')).toMatchObject({ granted: 2 });
    expect(await limits.take(2, 100, 'background')).toMatchObject({ granted: 100 });
  });

  it('sets the type of the results', async () => {
    await configure({ type: 'full' });
    await crawler.makeDue(1, 'all-registrations');
    await crawler.makeDue(2, 'all-registrations');
    await crawler.crawlDue();
    const asked = crawler.provider.requestsTo('registrations').slice(-2);
    expect(
      Object.fromEntries(asked.map(({ appId, query }) => [appId, query.has('includeRuntime')])),
    ).toEqual({ 'app-1': true, 'app-2': false });
  });

  it('sets the interval of crawls of changes, after a launch too', async () => {
    await configure({ interval: 5 });
    expect(await intervalsOf('changed-registrations')).toEqual([5, 30]);
    const launched = (applicationId: number) => ({
      applicationId,
      registrationGuid: 'a',
      courseGuid: 'swimming',
      at: '2026-01-01T00:00:00.000Z',
    });
    await crawler.app
      .get(ScheduleRegistration)
      .scheduleAfterLaunch(
        arrivedEvents(crawler.database, registrationLaunched, [launched(1), launched(2)]),
      );
    const rows = await crawler.database.many(
      z.object({ seconds: z.number() }),
      sql`SELECT round(extract(epoch FROM due_at - now()))::integer AS seconds
          FROM due_registrations ORDER BY application_id`,
    );
    expect(rows[0]?.seconds).toBeLessThanOrEqual(5);
    expect(rows[1]?.seconds).toBeGreaterThan(20);
  });

  it('pauses one application, and crawls what became due meanwhile when it continues', async () => {
    await configure({ paused: true });
    await crawler.refresh();
    await crawler.makeDue(1, 'changed-registrations');
    expect(await crawler.crawlDue()).toEqual([]);
    expect(await states()).toEqual(['paused', 'idle']);
    await configure({ paused: false });
    expect(await states()).toEqual(['due', 'idle']);
    expect(await crawler.crawlDue()).toMatchObject([{ applicationId: 1 }]);
  });

  it('the configuration of crawls does not crawl an application whose realm is disabled when it continues', async () => {
    await configure({ paused: true });
    crawler.setPaused(1, true);
    await crawler.refresh();
    await configure({ paused: false });
    expect(await states()).toEqual(['disabled', 'idle']);
  });

  it('the configuration of crawls is listed with the application, and of the applications that are asked for alone', async () => {
    const configuration = await configure({ rate: 5, interval: 60, type: 'full', paused: true });
    const list = async (applications: number[]) => {
      const page = { cursor: null, limit: 10 };
      return (await crawler.bus.page(listCrawls, { applications }, page)).items;
    };
    expect(await list([1])).toMatchObject([
      { application: 1, configuration, failures: 0, backing_off_until: null, running_since: null },
    ]);
    expect(await list([2, 9])).toMatchObject([
      { application: 2, configuration: { rate: null, paused: false } },
    ]);
    expect(await list([])).toEqual([]);
  });

  it('the list of crawls shows until when an application backs off', async () => {
    crawler.provider.intercept = () => ({ status: 503, body: { message: 'Maintenance.' } });
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.crawlDue();
    const page = { cursor: null, limit: 1 };
    const { items } = await crawler.bus.page(listCrawls, { applications: [1] }, page);
    expect(items[0]).toMatchObject({
      state: 'backing off',
      failures: 1,
      backing_off_until: expect.stringMatching(/Z$/) as string,
      error: expect.stringContaining('Maintenance.') as string,
    });
  });

  it('shows an application whose credentials are not accepted, until they are replaced', async () => {
    crawler.setSecret(1, 'wrong');
    await crawler.refreshAfterAccessChange();
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.makeDue(2, 'changed-registrations');
    await crawler.crawlDue();
    expect(await states()).toEqual(['unauthorized', 'idle']);
    crawler.setSecret(1, crawler.account(1).secretKey);
    await crawler.refreshAfterAccessChange();
    await crawler.makeDue(1, 'changed-registrations');
    await crawler.crawlDue();
    expect(await states()).toEqual(['idle', 'idle']);
  });
});
