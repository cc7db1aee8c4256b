import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { updateCourse } from '#libs/contracts';
import { type CatalogFixture, scopeOf, startCatalogFixture, told } from '../catalog.fixture.ts';

describe('course update', () => {
  let catalog: CatalogFixture;

  beforeEach(async () => {
    catalog = await startCatalogFixture();
    catalog.account(1).addCourse('diving', 'Diving');
    await catalog.register('diving', { custom: 'one' });
  });
  afterEach(() => catalog.stop());

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

  it('sets the custom text alone, and publishes nothing', async () => {
    expect(await update({ custom: 'two' })).toMatchObject({ title: 'Diving', custom: 'two' });
    expect(await catalog.index()).toMatchObject([{ title: 'Diving', custom: 'two' }]);
    expect(await catalog.published()).toHaveLength(1);
  });

  it('sets the title, publishes it, and tells it to the provider', async () => {
    const course = await update({ title: 'Deep diving' });
    expect(course).toMatchObject({ title: 'Deep diving', custom: 'one' });
    expect(await catalog.index()).toEqual([course]);
    expect(await catalog.published()).toMatchObject([
      { title: 'Diving', version: 1 },
      { courseId: course.id, title: 'Deep diving', deleted: false, version: 2 },
    ]);
    expect(catalog.account(1).courses.get('diving')?.title).toBe('Deep diving');
  });

  it('keeps the title whatever the provider says, at once and later', async () => {
    catalog.provider.intercept = () => 'drop';
    await update({ title: 'Deep diving' });
    await catalog.crawled(1, [told('diving', { title: 'Shallow diving' })]);
    expect(await catalog.index()).toMatchObject([{ title: 'Deep diving' }]);
    expect(catalog.lines()).toContainEqual(
      expect.objectContaining({ msg: 'a course keeps its title at the provider' }),
    );
  });

  it('publishes nothing and asks nobody when the title stays', async () => {
    const asked = catalog.provider.requests.length;
    await update({ title: 'Diving' });
    expect(await catalog.published()).toHaveLength(1);
    expect(catalog.provider.requests).toHaveLength(asked);
    await catalog.crawled(1, [told('diving', { title: 'Shallow diving' })]);
    expect(await catalog.index()).toMatchObject([{ title: 'Diving' }]);
  });

  it('lets updates that race each other each have a version', async () => {
    const titles = ['a', 'b', 'c', 'd'];
    await Promise.all(titles.map((title) => update({ title })));
    const versions = (await catalog.published()).map(({ version }) => version);
    expect(versions).toEqual([1, 2, 3, 4, 5]);
  });

  it('is not for an api key that is bound to a user', async () => {
    const scope = scopeOf({ email: 'learner@example.com' });
    await expect(update({ title: 'x' }, { scope })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  it('does not find what is out of reach, deleted, unknown, or held by several', async () => {
    const notFound = { code: 'not-found' };
    await expect(
      update({ title: 'x' }, { scope: scopeOf({ applicationIds: [2] }) }),
    ).rejects.toMatchObject(notFound);
    await expect(update({ title: 'x' }, { courseGuid: 'flying' })).rejects.toMatchObject(notFound);
    await catalog.crawled(1, [told('diving')], { applicationId: 2 });
    await expect(update({ title: 'x' })).rejects.toMatchObject(notFound);
    await catalog.swept(2, [], { applicationId: 2 });
    await catalog.swept(2, []);
    await expect(update({ title: 'x' })).rejects.toMatchObject(notFound);
  });
});
