import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';
import { CrawlHistory } from './crawl-history.ts';

describe('the crawl history', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture();
  });
  afterAll(() => crawler.stopAll());

  it('keeps finished crawls for seven days', async () => {
    await crawler.database.execute(sql`
      INSERT INTO crawl_history (application_id, kind, outcome, items, started_at, finished_at)
      SELECT 1, kind, 'done', 0, now(), now() - age
      FROM (VALUES ('courses', interval '6 days 23 hours'),
                   ('all-registrations', interval '7 days 1 hour')) AS crawls (kind, age)`);
    await crawler.app.get(CrawlHistory).prune();
    expect((await crawler.history(1)).map(({ kind }) => kind)).toEqual(['courses']);
  });
});
