import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accessChanged } from '#libs/contracts';
import { CourseProviderDirectory } from '#libs/course-provider';
import { type CatalogFixture, startCatalogFixture } from './catalog.fixture.ts';

describe("the course provider's credentials", () => {
  let catalog: CatalogFixture;

  beforeEach(async () => {
    catalog = await startCatalogFixture();
    catalog.account(1).addCourse('swimming');
  });
  afterEach(() => catalog.stop());

  it('are asked for again when identity says that access changed', async () => {
    const { asked, database, outbox } = catalog.identity;
    await catalog.register('swimming');
    await catalog.register('swimming');
    expect(asked).toEqual([1]);
    const directory = catalog.app.get(CourseProviderDirectory);
    const forgotten = new Promise<void>((resolve) => {
      const forget = directory.forget.bind(directory);
      directory.forget = () => {
        forget();
        resolve();
      };
    });
    await database.transaction(() => outbox.publish(accessChanged, { realmId: 1 }));
    await forgotten;
    await catalog.register('swimming');
    expect(asked).toEqual([1, 1]);
  });

  it('are not there while identity knows no such application', async () => {
    await expect(catalog.register('swimming', { applicationId: 2 })).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});
