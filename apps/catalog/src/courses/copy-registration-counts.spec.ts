import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogFixture, crawledCourse, startCatalogFixture } from '../catalog.fixture.ts';
import { CopyRegistrationCounts } from './copy-registration-counts.ts';

describe('the number of registrations of a course', () => {
  let catalog: CatalogFixture;
  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  afterAll(() => catalog.stop());

  const copy = (courseGuid: string, registrations: number, version: number, applicationId = 1) =>
    catalog.app
      .get(CopyRegistrationCounts)
      .copy({ applicationId, counts: [{ courseGuid, registrations, version }] });
  const shown = async (courseGuid: string) =>
    (await catalog.index({ courseGuid })).map(({ registrations }) => registrations);

  it('the number of registrations of a course is that of the newest count, whatever the order and repetition of the events', async () => {
    await catalog.crawled(1, [crawledCourse('swimming')]);
    expect(await shown('swimming')).toEqual([0]);
    await copy('swimming', 3, 20);
    await copy('swimming', 2, 10);
    await copy('swimming', 3, 20);
    await copy('swimming', 9, 30, 2);
    expect(await shown('swimming')).toEqual([3]);
    await copy('swimming', 0, 21);
    expect(await shown('swimming')).toEqual([0]);
  });

  it('the number of registrations of a course is kept for a course that is crawled later', async () => {
    await copy('diving', 5, 1);
    await catalog.crawled(2, [crawledCourse('diving')]);
    expect(await shown('diving')).toEqual([5]);
  });

  it('the number of registrations of a course does not change updated_at', async () => {
    await catalog.crawled(3, [crawledCourse('rowing')]);
    const [before] = await catalog.index({ courseGuid: 'rowing' });
    await copy('rowing', 7, 1);
    expect(await catalog.index({ courseGuid: 'rowing' })).toEqual([
      { ...before, registrations: 7 },
    ]);
  });
});
