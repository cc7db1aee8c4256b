import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateCourse } from '@registrar/contracts';
import {
  type CatalogFixture,
  scopeOf,
  startCatalogFixture,
  crawledCourse,
} from '../catalog.fixture.ts';

describe('course update', () => {
  let catalog: CatalogFixture;

  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  beforeEach(async () => {
    await catalog.reset();
    catalog.account(1).addCourse('diving', 'Diving');
    await catalog.register('diving', { custom: 'one' });
  });
  afterAll(() => catalog.stop());

  const update = (
    parts: { title?: string; custom?: string },
    { courseGuid = 'diving', scope = scopeOf() } = {},
  ) =>
    catalog.bus.request(updateCourse, {
      scope,
      courseGuid,
      title: parts.title ?? null,
      custom: parts.custom ?? null,
    });

  it('sets the custom text without publishing an event', async () => {
    expect(await update({ custom: 'two' })).toMatchObject({ title: 'Diving', custom: 'two' });
    expect(await catalog.index()).toMatchObject([{ title: 'Diving', custom: 'two' }]);
    expect(await catalog.published()).toHaveLength(1);
  });

  it('sets the title, publishes it and sets it at the provider', async () => {
    const course = await update({ title: 'Deep diving' });
    expect(course).toMatchObject({ title: 'Deep diving', custom: 'one' });
    expect(await catalog.index()).toEqual([course]);
    expect(await catalog.published()).toMatchObject([
      { title: 'Diving', version: 1 },
      { courseId: course.id, title: 'Deep diving', deleted: false, version: 2 },
    ]);
    expect(catalog.account(1).courses.get('diving')?.title).toBe('Deep diving');
  });

  it('shows the title in the metadata, also after later crawls', async () => {
    const titleOf = ({ metadata }: { metadata: string }) =>
      (JSON.parse(metadata) as { title: string }).title;
    expect(titleOf(await update({ title: 'Deep diving' }))).toBe('Deep diving');
    const metadata = { ...crawledCourse('diving').metadata, title: 'Diving' };
    await catalog.crawled(1, [crawledCourse('diving', { metadata })]);
    expect((await catalog.index()).map(titleOf)).toEqual(['Deep diving']);
  });

  it('keeps the title when the provider refuses it and when later crawls report another', async () => {
    catalog.provider.intercept = () => 'drop';
    await update({ title: 'Deep diving' });
    await catalog.crawled(1, [crawledCourse('diving', { title: 'Shallow diving' })]);
    expect(await catalog.index()).toMatchObject([{ title: 'Deep diving' }]);
    expect(catalog.lines()).toContainEqual(
      expect.objectContaining({ msg: 'the title of a course could not be set at the provider' }),
    );
  });

  it('publishes nothing and does not call the provider when the title stays the same', async () => {
    const asked = catalog.provider.requests.length;
    await update({ title: 'Diving' });
    expect(await catalog.published()).toHaveLength(1);
    expect(catalog.provider.requests).toHaveLength(asked);
    await catalog.crawled(1, [crawledCourse('diving', { title: 'Shallow diving' })]);
    expect(await catalog.index()).toMatchObject([{ title: 'Diving' }]);
  });

  it('gives each of several concurrent updates a version of its own', async () => {
    const titles = ['a', 'b', 'c', 'd'];
    await Promise.all(titles.map((title) => update({ title })));
    const versions = (await catalog.published()).map(({ version }) => version);
    expect(versions).toEqual([1, 2, 3, 4, 5]);
  });

  it('fails with unauthenticated for a user-bound key', async () => {
    const scope = scopeOf({ email: 'learner@example.com' });
    await expect(update({ title: 'x' }, { scope })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  it('fails with not-found for a course that is out of reach, deleted, unknown or held by several applications', async () => {
    const notFound = { code: 'not-found' };
    await expect(
      update({ title: 'x' }, { scope: scopeOf({ applicationIds: [2] }) }),
    ).rejects.toMatchObject(notFound);
    await expect(update({ title: 'x' }, { courseGuid: 'flying' })).rejects.toMatchObject(notFound);
    await catalog.crawled(1, [crawledCourse('diving')], { applicationId: 2 });
    await expect(update({ title: 'x' })).rejects.toMatchObject(notFound);
    await catalog.swept(2, [], { applicationId: 2 });
    await catalog.swept(2, []);
    await expect(update({ title: 'x' })).rejects.toMatchObject(notFound);
  });
});
