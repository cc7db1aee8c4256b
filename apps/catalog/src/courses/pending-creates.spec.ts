import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runOperation } from '#libs/platform';
import { randomBytes } from 'node:crypto';
import { type CatalogFixture, startCatalogFixture, told } from '../catalog.fixture.ts';

const wanted = { title: 'Swimming', custom: '{"a":1}' };

describe('a course create that does not live to see the end of its import', () => {
  let catalog: CatalogFixture;

  beforeEach(async () => {
    catalog = await startCatalogFixture();
  });
  afterEach(() => catalog.stop());

  const pending = () =>
    catalog.database.query('SELECT course_guid, title, custom FROM pending_creates');

  /** Leaves the import running at the provider. */
  const createTooLate = async (given: Partial<typeof wanted> = wanted) => {
    catalog.provider.intercept = ({ method, path }) =>
      method === 'GET' && path.startsWith('courses/importJobs/')
        ? { status: 200, body: { status: 'RUNNING' } }
        : undefined;
    const uploadId = await catalog.upload(randomBytes(10));
    const operation = { requestId: 'late', deadline: Date.now() + 400 };
    await expect(
      runOperation(operation, () => catalog.createFrom(uploadId, 'swimming', given)),
    ).rejects.toMatchObject({ code: 'expired' });
    catalog.provider.intercept = () => undefined;
  };

  it('is completed by the crawl that finds the course', async () => {
    await createTooLate();
    await catalog.crawled(1, [told('diving'), told('swimming', { title: 'Untitled' })]);
    expect(await catalog.index()).toMatchObject([
      { course_guid: 'diving', title: 'Title of diving', custom: null },
      { course_guid: 'swimming', ...wanted },
    ]);
    expect(await catalog.published()).toMatchObject([
      { title: 'Title of diving' },
      { title: 'Swimming' },
    ]);
    expect(await pending()).toEqual([]);
    await catalog.crawled(2, [told('swimming', { title: 'Untitled' })]);
    expect(await catalog.index({ courseGuid: 'swimming' })).toMatchObject([wanted]);
  });

  it('is left alone by crawls of another provider application, and by those that count no more', async () => {
    await createTooLate();
    await catalog.crawled(1, [told('swimming')], { applicationId: 2 });
    await catalog.swept(5, []);
    await catalog.crawled(4, [told('swimming')]);
    expect(await pending()).toEqual([{ course_guid: 'swimming', ...wanted }]);
    await catalog.crawled(6, [told('swimming')]);
    expect(await catalog.index({ title: 'Swimming' })).toMatchObject([{ course_provider_id: 1 }]);
  });

  it('waits, for a course that is there already, until its new version is', async () => {
    await catalog.crawled(1, [told('swimming', { version: 3 })]);
    await createTooLate();
    await catalog.crawled(2, [told('swimming', { version: 3 })]);
    expect(await catalog.index()).toMatchObject([{ title: 'Title of swimming', custom: null }]);
    await catalog.crawled(3, [told('swimming', { version: 4 })]);
    expect(await catalog.index()).toMatchObject([wanted]);
  });

  it('is completed by the create that is repeated, which wins where it says something', async () => {
    await createTooLate();
    const uploadId = await catalog.upload(randomBytes(10));
    const course = await catalog.createFrom(uploadId, 'swimming', { custom: 'other' });
    expect(course).toMatchObject({ title: 'Swimming', custom: 'other' });
    expect(await pending()).toEqual([]);
  });

  it('leaves nothing when the provider refuses the package, nor when nothing was wanted', async () => {
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
