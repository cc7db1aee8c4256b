import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accessChanged } from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { type CatalogFixture, startCatalogFixture } from './catalog.fixture.ts';

describe("the course provider's credentials", () => {
  let catalog: CatalogFixture;

  beforeEach(async () => {
    catalog = await startCatalogFixture();
    catalog.account(1).addCourse('swimming');
  });
  afterEach(() => catalog.stop());

  it('the course provider’s credentials are requested again after identity reports an access change', async () => {
    const { asked, database, outbox } = catalog.identity;
    await catalog.register('swimming');
    await catalog.register('swimming');
    expect(asked).toEqual([1]);
    const directory = catalog.app.get(CourseProviderDirectory);
    const forgotten = new Promise<void>((resolve) => {
      const forget = directory.invalidate.bind(directory);
      directory.invalidate = () => {
        forget();
        resolve();
      };
    });
    await database.transaction(() => outbox.publish(accessChanged, { realmId: 1 }));
    await forgotten;
    await catalog.register('swimming');
    expect(asked).toEqual([1, 1]);
  });

  it('the course provider’s credentials cause not-found for a provider application that identity does not know', async () => {
    await expect(catalog.register('swimming', { applicationId: 2 })).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});
