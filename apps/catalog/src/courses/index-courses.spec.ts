import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCourse } from '@registrar/contracts';
import {
  type CatalogFixture,
  scopeOf,
  startCatalogFixture,
  crawledCourse,
} from '../catalog.fixture.ts';

describe('course index', () => {
  let catalog: CatalogFixture;

  beforeAll(async () => {
    catalog = await startCatalogFixture();
    for (const course of ['crawl', 'dive', 'swim']) catalog.account(1).addCourse(course);
    await catalog.register('swim', { title: 'Water', custom: '{"pool": 1}' });
    await catalog.register('dive', { title: 'Water', custom: 'deep' });
    await catalog.register('crawl');
    await catalog.crawled(1, [crawledCourse('swim')], { applicationId: 2 });
    await catalog.crawled(1, [crawledCourse('swim')], { applicationId: 3 });
    await catalog.crawled(1, [crawledCourse('gone')]);
    await catalog.swept(2, ['swim', 'dive', 'crawl']);
  });
  afterAll(() => catalog.stop());

  const found = async (...asked: Parameters<CatalogFixture['index']>) =>
    (await catalog.index(...asked)).map(
      (course) => `${course.course_provider_id} ${course.course_guid}`,
    );
  const all = ['1 swim', '1 dive', '1 crawl', '2 swim'];

  it('returns the courses that the scope reaches in the order of ids, without deleted ones', async () => {
    expect(await found()).toEqual(all);
    expect(await found({}, { scope: scopeOf({ applicationIds: [2] }) })).toEqual(['2 swim']);
    expect(await found({}, { scope: scopeOf({ applicationIds: [] }) })).toEqual([]);
  });

  it('returns the courses of the realm for a user-bound key', async () => {
    expect(await found({}, { scope: scopeOf({ email: 'learner@example.com' }) })).toEqual(all);
  });

  it('returns the same list for every page size', async () => {
    for (const pageSize of [1, 2, 3, 4]) expect(await found({}, { pageSize })).toEqual(all);
  });

  it('filters by exact values of one and of several fields', async () => {
    expect(await found({ courseGuid: 'swim' })).toEqual(['1 swim', '2 swim']);
    expect(await found({ courseGuids: ['swim', 'none'] })).toEqual(['1 swim', '2 swim']);
    expect(await found({ title: 'Water' })).toEqual(['1 swim', '1 dive']);
    expect(await found({ title: 'water' })).toEqual([]);
    expect(await found({ custom: '{"pool": 1}' })).toEqual(['1 swim']);
    expect(await found({ custom: '{"pool":1}' })).toEqual([]);
    expect(await found({ title: 'Water', custom: 'deep' })).toEqual(['1 dive']);
    expect(await found({ title: 'Water', courseGuid: 'crawl' })).toEqual([]);
  });

  it('filters by regular expressions, all of which must match', async () => {
    const matching = (patterns: { courseGuid?: string[]; title?: string[]; custom?: string[] }) =>
      found({ patterns });
    expect(await matching({ title: ['^Wat'] })).toEqual(['1 swim', '1 dive']);
    expect(await matching({ title: ['^wat'] })).toEqual([]);
    expect(await matching({ courseGuid: ['i', 'm$'] })).toEqual(['1 swim', '2 swim']);
    expect(await matching({ custom: ['"pool": \\d'] })).toEqual(['1 swim']);
    expect(await matching({ title: ['a'], custom: ['^deep$'] })).toEqual(['1 dive']);
    expect(await matching({ title: [] })).toEqual(all);
    expect(await found({ title: 'Water', patterns: { courseGuid: ['^d'] } })).toEqual(['1 dive']);
    for (const pageSize of [1, 3]) {
      expect(await found({ patterns: { title: ['.'] } }, { pageSize })).toEqual(all);
    }
    await expect(matching({ title: ['('] })).rejects.toMatchObject({ code: 'invalid' });
  });

  describe('the search for one course', () => {
    const search = (applicationIds: number[], courseGuid: string) =>
      catalog.bus.request(findCourse, { applicationIds, courseGuid });

    it('finds a course in the named provider applications', async () => {
      const [course] = await catalog.index({ courseGuid: 'dive' });
      expect(await search([1, 2], 'dive')).toEqual({
        courseId: course?.id,
        applicationId: 1,
        courseGuid: 'dive',
        title: 'Water',
      });
      expect(await search([2], 'swim')).toMatchObject({ applicationId: 2 });
    });

    it('fails with not-found for a course of several applications, and for one that is deleted or out of reach', async () => {
      for (const [reach, guid] of [
        [[1, 2], 'swim'],
        [[1, 2], 'gone'],
        [[2], 'dive'],
        [[], 'dive'],
      ] as const) {
        await expect(search([...reach], guid)).rejects.toMatchObject({ code: 'not-found' });
      }
    });
  });
});
