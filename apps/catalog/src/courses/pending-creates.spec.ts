import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sql } from '@registrar/persistence';
import { randomBytes } from 'node:crypto';
import { type CatalogFixture, startCatalogFixture, crawledCourse } from '../catalog.fixture.ts';

const wanted = { title: 'Swimming', custom: '{"a":1}' };

const pendingRow = z.object({
  course_guid: z.string(),
  title: z.string().nullable(),
  custom: z.string().nullable(),
});

describe('a course create that ends before its import', () => {
  let catalog: CatalogFixture;

  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  beforeEach(() => catalog.reset());
  afterAll(() => catalog.stop());

  const pending = () =>
    catalog.database.many(pendingRow, sql`SELECT course_guid, title, custom FROM pending_creates`);

  /** Leaves the import running at the provider. */
  const createTooLate = async (given: Partial<typeof wanted> = wanted) => {
    catalog.expireDuringImport();
    const uploadId = await catalog.upload(randomBytes(10));
    await expect(catalog.createFrom(uploadId, 'swimming', given)).rejects.toMatchObject({
      code: 'expired',
    });
    catalog.provider.intercept = () => undefined;
  };

  it('a course create that ends before its import is completed by the crawl that finds the course', async () => {
    await createTooLate();
    await catalog.crawled(1, [
      crawledCourse('diving'),
      crawledCourse('swimming', { title: 'Untitled' }),
    ]);
    expect(await catalog.index()).toMatchObject([
      { course_guid: 'diving', title: 'Title of diving', custom: null },
      { course_guid: 'swimming', ...wanted },
    ]);
    expect(await catalog.published()).toMatchObject([
      { title: 'Title of diving' },
      { title: 'Swimming' },
    ]);
    expect(await pending()).toEqual([]);
    await catalog.crawled(2, [crawledCourse('swimming', { title: 'Untitled' })]);
    expect(await catalog.index({ courseGuid: 'swimming' })).toMatchObject([wanted]);
  });

  it('a course create that ends before its import is not completed by a crawl of another provider application or by an outdated crawl', async () => {
    await createTooLate();
    await catalog.crawled(1, [crawledCourse('swimming')], { applicationId: 2 });
    await catalog.swept(5, []);
    await catalog.crawled(4, [crawledCourse('swimming')]);
    expect(await pending()).toEqual([{ course_guid: 'swimming', ...wanted }]);
    await catalog.crawled(6, [crawledCourse('swimming')]);
    expect(await catalog.index({ title: 'Swimming' })).toMatchObject([{ course_provider_id: 1 }]);
  });

  it('waits for the new version of a course that exists already', async () => {
    await catalog.crawled(1, [crawledCourse('swimming', { version: 3 })]);
    await createTooLate();
    await catalog.crawled(2, [crawledCourse('swimming', { version: 3 })]);
    expect(await catalog.index()).toMatchObject([{ title: 'Title of swimming', custom: null }]);
    await catalog.crawled(3, [crawledCourse('swimming', { version: 4 })]);
    expect(await catalog.index()).toMatchObject([wanted]);
  });

  it('a course create that ends before its import is completed by a repeated create, whose values take precedence', async () => {
    await createTooLate();
    const uploadId = await catalog.upload(randomBytes(10));
    const course = await catalog.createFrom(uploadId, 'swimming', { custom: 'other' });
    expect(course).toMatchObject({ title: 'Swimming', custom: 'other' });
    expect(await pending()).toEqual([]);
  });

  it('leaves no entry when the provider refuses the package, or without title and custom text', async () => {
    await createTooLate({});
    expect(await pending()).toEqual([]);
    catalog.provider.intercept = ({ path }) =>
      path === 'courses/importJobs/upload'
        ? { status: 400, body: { message: 'No manifest.' } }
        : undefined;
    const uploadId = await catalog.upload(randomBytes(10));
    await expect(catalog.createFrom(uploadId, 'swimming', wanted)).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(await pending()).toEqual([]);
  });
});
