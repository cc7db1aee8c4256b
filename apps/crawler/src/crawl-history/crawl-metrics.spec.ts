import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { scrapeMetrics } from '@registrar/testing';
import { Registry } from 'prom-client';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';
import { CrawlMetrics } from './crawl-metrics.ts';

describe('the metrics of the crawler', () => {
  let crawler: CrawlerFixture;
  beforeAll(async () => {
    crawler = await startCrawlerFixture({ MANAGEMENT_PORT: 0 });
    for (const id of [1, 2]) crawler.addApplication(id).addRegistration('a', 'swimming');
    await crawler.refresh();
  });
  afterAll(() => crawler.stopAll());

  const lateness = async (kind: string) =>
    (await scrapeMetrics(crawler.app)).value('registrar_crawl_lateness_seconds', { kind });

  it('the metrics of the crawler show the lateness of the most overdue crawl of each kind', async () => {
    await crawler.database.execute(sql`
      UPDATE due_crawls SET due_at = now() - interval '90 s'
      WHERE application_id = 2 AND kind = 'courses'`);
    await crawler.database.execute(
      sql`INSERT INTO due_registrations VALUES (1, 'a', now() - interval '40 s', 0)`,
    );
    expect(await lateness('courses')).toBeGreaterThanOrEqual(90);
    expect(await lateness('registrations-by-name')).toBeGreaterThanOrEqual(40);
    expect(await lateness('all-registrations')).toBe(0);
  });

  it('the metrics of the crawler show how late an application is, and to what failures have lowered its rate', async () => {
    const { value } = await scrapeMetrics(crawler.app);
    const latest = value('registrar_crawl_application_lateness_seconds', { application: '2' });
    expect(latest).toBeGreaterThanOrEqual(90);
    await crawler.database.execute(
      sql`INSERT INTO rate_limits (application_id, tokens, rate) VALUES (1, 1, 2.5)`,
    );
    const lowered = (await scrapeMetrics(crawler.app)).value('registrar_crawl_lowered_rate', {
      application: '1',
    });
    expect(lowered).toBe(2.5);
    await crawler.database.execute(sql`TRUNCATE rate_limits`);
  });

  it('the metrics of the crawler count the windows that are left of divided lists, and how late these lists are', async () => {
    await crawler.database.execute(sql`
      INSERT INTO crawl_windows (application_id, kind, sequence, due_at)
      SELECT 1, 'all-registrations', 1, now() - seconds * interval '1 s'
      FROM unnest(ARRAY[172800, 86400]) AS seconds`);
    const { value } = await scrapeMetrics(crawler.app);
    expect(value('registrar_crawl_windows', { application: '1' })).toBe(2);
    const late = value('registrar_crawl_lateness_seconds', { kind: 'all-registrations' });
    expect(late).toBeCloseTo(86_400, -3);
    await crawler.database.execute(sql`TRUNCATE crawl_windows`);
  });

  it('the metrics of the crawler show the calls that are left, and how long an application pauses', async () => {
    await crawler.database.execute(sql`
      INSERT INTO rate_limits (application_id, tokens, refilled_at, paused_until)
      VALUES (1, 7, now() + interval '1 hour', now() + interval '1 day'), (2, 7, now() - interval '1 hour', now())`);
    const { value } = await scrapeMetrics(crawler.app);
    const left = (application: string) => value('registrar_provider_calls_left', { application });
    expect([left('1'), left('2')]).toEqual([7, 200]);
    expect(value('registrar_crawl_pause_seconds', { application: '1' })).toBeCloseTo(86_400, -3);
    expect(value('registrar_crawl_pause_seconds', { application: '2' })).toBeUndefined();
    await crawler.database.execute(sql`TRUNCATE rate_limits`);
  });

  it('the metrics of the crawler leave out the applications of disabled realms, also right after they are enabled', async () => {
    const anHourLate = sql`now() - interval '1 hour'`;
    const { database } = crawler;
    await database.execute(
      sql`UPDATE due_crawls SET due_at = ${anHourLate} WHERE application_id = 2`,
    );
    await database.execute(sql`INSERT INTO due_registrations VALUES (2, 'a', ${anHourLate}, 0)`);
    for (const isPaused of [true, false]) {
      crawler.setPaused(2, isPaused);
      await crawler.refresh();
      for (const kind of ['courses', 'registrations-by-name']) {
        expect(await lateness(kind)).toBeLessThan(3_600);
      }
    }
  });

  it('the metrics of the crawler count crawls by outcome and show no lateness when nothing is due', async () => {
    crawler.provider.intercept = ({ appId, path }) =>
      appId === 'app-2' && path === 'courses' ? { status: 500 } : undefined;
    await crawler.crawlDue();
    const { value } = await scrapeMetrics(crawler.app);
    const finished = (kind: string, outcome: string) =>
      value('registrar_crawls_total', { kind, outcome });
    expect(finished('courses', 'done')).toBe(1);
    expect(finished('courses', 'failed')).toBe(1);
    expect(finished('changed-registrations', 'done')).toBeGreaterThanOrEqual(1);
    const failures = (application: string) => value('registrar_crawl_failures', { application });
    expect([failures('1'), failures('2')]).toEqual([undefined, 1]);
    expect(value('registrar_crawl_lateness_intervals_count', { kind: 'courses' })).toBe(2);
    expect(value('registrar_crawled_items_total', { kind: 'courses' })).toBeGreaterThan(0);
    expect(await lateness('courses')).toBe(0);
  });

  it('no metric of the crawler has more than 100 series by provider application', async () => {
    const { app, database } = crawler;
    await database.execute(sql`
      WITH added AS (
        INSERT INTO applications (id, realm_id) SELECT id, 1 FROM generate_series(1001, 2000) AS id RETURNING id
      ), limits AS (
        INSERT INTO rate_limits (application_id, tokens, rate, paused_until)
        SELECT id, 1, 1, now() + interval '1 hour' FROM added
      ), windows AS (
        INSERT INTO crawl_windows (application_id, kind, sequence, failures)
        SELECT id, 'all-registrations', 1, 1 FROM added
      )
      INSERT INTO due_crawls (application_id, kind, due_at, interval_seconds, failures)
      SELECT id, 'courses', now() - interval '1 hour', 60, 2 FROM added`);
    const metrics = app.get(CrawlMetrics);
    for (let applicationId = 1001; applicationId <= 2000; applicationId += 1) {
      for (const error of [null, 'no answer'])
        metrics.count({ applicationId, kind: 'courses', startedAt: new Date(), items: 1, error });
    }
    const exposed = await app.get(Registry).getMetricsAsJSON();
    const series = exposed.map(({ name, values }) => ({
      name,
      count: values.filter(({ labels }) => labels['application'] !== undefined).length,
    }));
    expect(series.filter(({ count }) => count > 100)).toEqual([]);
    expect(series.filter(({ count }) => count === 100).map(({ name }) => name)).toEqual([
      'registrar_provider_calls_left',
      'registrar_crawl_pause_seconds',
      'registrar_crawl_application_lateness_seconds',
      'registrar_crawl_failures',
      'registrar_crawl_lowered_rate',
      'registrar_crawl_windows',
    ]);
  });
});
