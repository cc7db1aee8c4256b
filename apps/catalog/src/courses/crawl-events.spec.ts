import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { sql } from '@registrar/persistence';
import { courseRecord, coursesCrawled, coursesSwept, findCourse } from '@registrar/contracts';
import {
  type CatalogFixture,
  later,
  scopeOf,
  startCatalogFixture,
  crawledCourse,
} from '../catalog.fixture.ts';

const stampRow = z.object({ updated_at: z.date(), sequence: z.number() });

/** A statement that publishes events: the relay puts those that it cannot deliver back with their ids. */
const publication = /INTO outbox \(name/;

describe('crawled and swept courses', () => {
  let catalog: CatalogFixture;

  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  beforeEach(() => catalog.reset());
  afterAll(() => catalog.stop());

  const titles = async () => (await catalog.index()).map((course) => course.title);

  it("crawled and swept courses are stored with the provider's values", async () => {
    const metadata = {
      title: 'Swimming',
      description: 'In water',
      duration: 'PT1H',
      typicaltime: 'PT2H',
      keywords: ['water', 'sport'],
    };
    await catalog.crawled(1, [
      crawledCourse('swimming', { title: 'Swim', size: 3_000_000_000, version: 4, metadata }),
      crawledCourse('diving'),
    ]);
    const [diving, swimming] = await catalog.index();
    expect(courseRecord.parse(swimming)).toEqual(swimming);
    expect(swimming).toMatchObject({
      course_guid: 'swimming',
      course_provider_id: 1,
      title: 'Swim',
      size: 3_000_000_000,
      versions: 4,
      custom: null,
      metadata: JSON.stringify(metadata),
    });
    expect(diving).toMatchObject({ course_guid: 'diving', registrations: 0 });
  });

  it('crawled and swept courses arrive as events of the crawler and are published as events for enrolment', async () => {
    const heard = await catalog.startEnrolment();
    const { database, outbox } = await catalog.startCrawler();
    const page = {
      applicationId: 1,
      sequence: 1,
      crawledAt: later,
      courses: [crawledCourse('diving')],
    };
    const sweep = { applicationId: 1, sequence: 2, startedAt: later, courseGuids: [] };
    await database.transaction(() => outbox.publish(coursesCrawled, page));
    expect(await heard()).toMatchObject({ courseGuid: 'diving', deleted: false });
    await database.transaction(() => outbox.publish(coursesSwept, sweep));
    expect(await heard()).toMatchObject({ courseGuid: 'diving', deleted: true });
  });

  it('crawled and swept courses are published only when their title or their presence changes', async () => {
    await catalog.crawled(1, [crawledCourse('swimming'), crawledCourse('diving')]);
    const [diving, swimming] = await catalog.index();
    await catalog.crawled(2, [
      crawledCourse('swimming', { size: 9, version: 1 }),
      crawledCourse('diving', { title: 'Deep diving' }),
    ]);
    await catalog.swept(3, ['swimming']);
    await catalog.swept(4, ['swimming']);
    const event = (course: typeof diving, title: string, version: number, deleted = false) => ({
      applicationId: 1,
      courseId: course?.id,
      courseGuid: course?.course_guid,
      title,
      deleted,
      version,
      keywords: [],
    });
    expect(await catalog.published()).toEqual([
      event(diving, 'Title of diving', 1),
      event(swimming, 'Title of swimming', 1),
      event(diving, 'Deep diving', 2),
      event(diving, 'Deep diving', 3, true),
    ]);
  });

  it('crawled and swept courses are published when their keywords change', async () => {
    const { metadata } = crawledCourse('rowing');
    const withKeywords = (keywords: string[]) =>
      crawledCourse('rowing', { metadata: { ...metadata, keywords } });
    const before = (await catalog.published()).length;
    await catalog.crawled(101, [withKeywords(['water'])]);
    await catalog.crawled(102, [withKeywords(['water'])]);
    await catalog.crawled(103, [withKeywords(['water', 'sport'])]);
    expect((await catalog.published()).slice(before)).toMatchObject([
      { courseGuid: 'rowing', version: 1, keywords: ['water'] },
      { courseGuid: 'rowing', version: 2, keywords: ['water', 'sport'] },
    ]);
  });

  it('crawled and swept courses are published with the same number of statements, however many there are', async () => {
    const logged = vi.spyOn(catalog.database.dataSource.logger, 'logQuery');
    const page = Array.from({ length: 30 }, (_, index) => crawledCourse(`course-${index}`));
    const counts: number[] = [];
    for (const handle of [
      () => catalog.crawled(1, [crawledCourse('swimming')]),
      () => catalog.crawled(2, page),
      () => catalog.swept(3, []),
    ]) {
      logged.mockClear();
      await handle();
      counts.push(logged.mock.calls.filter(([sql]) => publication.test(sql)).length);
    }
    expect(counts).toEqual([1, 1, 1]);
    expect(await catalog.published()).toHaveLength(62);
  });

  it('crawled and swept courses change updated_at only when the record changes', async () => {
    await catalog.crawled(1, [crawledCourse('swimming')]);
    const stamps = () =>
      catalog.database.many(stampRow, sql`SELECT updated_at, sequence FROM courses`);
    const [first] = await stamps();
    await catalog.crawled(2, [crawledCourse('swimming')]);
    expect(await stamps()).toEqual([{ ...first, sequence: 2 }]);
    await catalog.crawled(3, [crawledCourse('swimming', { size: 1 })]);
    expect(await stamps()).not.toEqual([{ ...first, sequence: 3 }]);
  });

  it('crawled and swept courses use up no ids when they exist already', async () => {
    for (const sequence of [1, 2, 3]) await catalog.crawled(sequence, [crawledCourse('swimming')]);
    await catalog.crawled(4, [crawledCourse('diving')]);
    expect((await catalog.index()).map((course) => course.id)).toEqual([1, 2]);
  });

  it('crawled and swept courses keep their size when a crawl does not report one', async () => {
    await catalog.crawled(1, [crawledCourse('swimming', { size: 4711 })]);
    await catalog.crawled(2, [crawledCourse('swimming', { size: 0 })]);
    expect(await catalog.index()).toMatchObject([{ size: 4711 }]);
  });

  it('crawled and swept courses may occur in a page twice', async () => {
    await catalog.crawled(1, [
      crawledCourse('swimming'),
      crawledCourse('diving'),
      crawledCourse('swimming'),
    ]);
    expect(await titles()).toHaveLength(2);
  });

  it('crawled and swept courses belong to the provider application that was crawled', async () => {
    await catalog.crawled(1, [crawledCourse('swimming')]);
    await catalog.crawled(2, [crawledCourse('swimming', { title: 'Other' })], { applicationId: 2 });
    await catalog.swept(3, [], { applicationId: 2 });
    expect(await titles()).toEqual(['Title of swimming']);
  });

  it('crawled and swept courses are restored when a newer crawl finds them again', async () => {
    await catalog.crawled(1, [crawledCourse('swimming')]);
    await catalog.swept(2, []);
    expect(await titles()).toEqual([]);
    const lost = { applicationIds: [1], courseGuid: 'swimming' };
    await expect(catalog.bus.request(findCourse, lost)).rejects.toMatchObject({
      code: 'not-found',
    });
    await catalog.crawled(3, [crawledCourse('swimming')]);
    expect(await titles()).toEqual(['Title of swimming']);
    expect((await catalog.published()).map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it('result in the same state in any order and with any repetition', async () => {
    const orders = permutations(['old page', 'page of the sweep', 'sweep', 'newer page'] as const);
    const inOrder = async (order: (typeof orders)[number], place: number) => {
      const applicationId = 100 + place;
      const parts = { applicationId };
      const events = {
        'old page': () =>
          catalog.crawled(
            1,
            [crawledCourse('gone'), crawledCourse('kept', { title: 'Old' })],
            parts,
          ),
        'page of the sweep': () =>
          catalog.crawled(3, [crawledCourse('kept', { title: 'New' })], parts),
        sweep: () => catalog.swept(2, ['kept'], parts),
        'newer page': () => catalog.crawled(4, [crawledCourse('added')], parts),
      };
      for (const name of [...order, ...order]) await events[name]();
      const scope = scopeOf({ applicationIds: [applicationId] });
      const left = (await catalog.index({}, { scope })).map((course) => course.title);
      expect({ order, left: left.toSorted() }).toEqual({ order, left: ['New', 'Title of added'] });
    };
    await Promise.all(orders.map(inOrder));
  });

  it('crawled and swept courses stay deleted when a crawl from between two sweeps arrives after both', async () => {
    await catalog.crawled(1, [crawledCourse('swimming')]);
    await catalog.swept(2, []);
    await catalog.swept(4, []);
    await catalog.crawled(3, [crawledCourse('swimming')]);
    expect(await titles()).toEqual([]);
    expect((await catalog.published()).map(({ version }) => version)).toEqual([1, 2]);
  });

  it('result in the same state when all events are handled concurrently', async () => {
    const page = Array.from({ length: 50 }, (_, index) => crawledCourse(`course-${index}`));
    const titled = (title: string) => page.map((course) => ({ ...course, title }));
    await Promise.all([
      catalog.crawled(3, titled('third')),
      catalog.crawled(1, titled('first').toReversed()),
      catalog.crawled(4, titled('fourth').toReversed()),
      catalog.crawled(2, titled('second')),
    ]);
    expect(new Set(await titles())).toEqual(new Set(['fourth']));
    expect(await catalog.index()).toHaveLength(50);
  });

  it('crawled and swept courses are not visible in another realm', async () => {
    await catalog.crawled(1, [crawledCourse('swimming')]);
    const scope = scopeOf({ realmId: 2, applicationIds: [3] });
    expect(await catalog.index({}, { scope })).toEqual([]);
  });
});

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((first, place) =>
    permutations(items.toSpliced(place, 1)).map((rest) => [first, ...rest]),
  );
}
