import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { coursesCrawled, coursesSwept } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';

describe('crawls of the course list', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture();
  });
  beforeEach(() => crawler.reset());
  afterAll(() => crawler.stopAll());

  it('crawls of the course list publish all courses page by page and then the GUIDs of all', async () => {
    const account = crawler.addApplication(1);
    for (const guid of ['diving', 'rowing']) account.addCourse(guid);
    crawler.provider.pageSize = 2;
    await crawler.refresh();
    await crawler.crawlDue();
    const pages = await crawler.published(coursesCrawled);
    expect(pages.map((page) => page.courses.map((course) => course.courseGuid))).toEqual([
      ['swimming', 'diving'],
      ['rowing'],
    ]);
    expect(await crawler.published(coursesSwept)).toEqual([
      {
        applicationId: 1,
        sequence: pages[0]?.sequence,
        startedAt: pages[0]?.crawledAt,
        courseGuids: ['swimming', 'diving', 'rowing'],
      },
    ]);
    expect(await crawler.history(1)).toContainEqual({
      kind: 'courses',
      outcome: 'done',
      items: 3,
      error: null,
    });
  });

  it('crawls of the course list publish an empty list of GUIDs for an account without courses', async () => {
    crawler.addApplication(1).courses.clear();
    await crawler.refresh();
    await crawler.crawlDue();
    expect(await crawler.published(coursesCrawled)).toEqual([]);
    expect(await crawler.published(coursesSwept)).toMatchObject([{ courseGuids: [] }]);
  });

  it('crawls of the course list go on after pages that list a course again', async () => {
    crawler.addApplication(1);
    await crawler.refresh();
    await crawler.database.execute(sql`DELETE FROM due_crawls WHERE kind <> 'courses'`);
    const pages = [['diving', 'diving'], ['diving', 'rowing'], ['sailing']];
    let page = 0;
    crawler.provider.intercept = () => {
      const courses = pages[page]?.map((id) => ({ id, title: id, version: 0 }));
      page += 1;
      return { status: 200, body: { courses, ...(page < 3 && { more: `token ${page}` }) } };
    };
    await crawler.crawlDue();
    expect(await crawler.published(coursesSwept)).toMatchObject([
      { courseGuids: ['diving', 'rowing', 'sailing'] },
    ]);
  });

  it('crawls of the course list fail when the tokens of the provider go round in a circle', async () => {
    crawler.addApplication(1);
    await crawler.refresh();
    let pages = 0;
    crawler.provider.intercept = ({ path, query }) => {
      if (path !== 'courses') return undefined;
      pages += 1;
      const courses = query.has('more') ? [] : [{ id: 'diving', title: 'Diving', version: 0 }];
      return { status: 200, body: { courses, more: `token ${pages % 2}` } };
    };
    await crawler.crawlDue();
    expect(pages).toBe(2);
    expect(await crawler.published(coursesSwept)).toEqual([]);
    expect(await crawler.history(1)).toContainEqual(
      expect.objectContaining({
        kind: 'courses',
        outcome: 'failed',
        error: "the course provider's list of courses does not end",
      }),
    );
  });
});
