import { randomUUID } from 'node:crypto';
import { deleteCourseVersion, listCourseVersions } from '@registrar/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CatalogFixture, scopeOf, startCatalogFixture } from '../catalog.fixture.ts';

describe('the versions of a course', () => {
  let catalog: CatalogFixture;
  let courseGuid: string;
  const account = () => catalog.account(1);

  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  beforeEach(async () => {
    courseGuid = randomUUID();
    for (const version of [0, 1]) account().addCourse(courseGuid, `Diving ${version}`, 0, version);
    account().addRegistration(`${courseGuid}-1`, courseGuid);
    await catalog.register(courseGuid);
  });
  afterAll(() => catalog?.stop());

  const list = async (scope = scopeOf()) =>
    (await catalog.bus.request(listCourseVersions, { scope, courseGuid })).versions;
  const remove = (version: number, scope = scopeOf()) =>
    catalog.bus.request(deleteCourseVersion, { scope, courseGuid, version });
  const notFound = { code: 'not-found' };

  it('versions are listed with their titles and numbers of registrations, the newest first', async () => {
    const created_at = expect.stringMatching(/^\d{4}-/) as string;
    expect(await list()).toEqual([
      { version: 1, title: 'Diving 1', created_at, registrations: 0 },
      { version: 0, title: 'Diving 0', created_at, registrations: 1 },
    ]);
  });

  it('a version is deleted at the provider, and the course is read again', async () => {
    expect(await remove(1)).toMatchObject({
      course_guid: courseGuid,
      title: 'Diving 0',
      versions: 0,
    });
    expect(await list()).toMatchObject([{ version: 0 }]);
    expect((await catalog.published('catalog.audited')).at(-1)).toMatchObject({
      action: 'course.version-deleted',
      realmId: 1,
      subject: { course_guid: courseGuid, application_id: 1, version: 1 },
    });
  });

  it('an unknown version is not found, and the only one is not deleted', async () => {
    await expect(remove(2)).rejects.toMatchObject(notFound);
    await remove(0);
    await expect(remove(1)).rejects.toMatchObject({ code: 'invalid' });
    expect(account().courses.has(courseGuid)).toBe(true);
  });

  it('versions of another application are not found', async () => {
    const foreign = { ...scopeOf(), applicationIds: [2] };
    await expect(list(foreign)).rejects.toMatchObject(notFound);
    await expect(remove(0, foreign)).rejects.toMatchObject(notFound);
  });

  it('a scope that may not write deletes no version', async () => {
    const reader = { ...scopeOf(), permissions: ['read' as const] };
    await expect(remove(0, reader)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await list()).toHaveLength(2);
  });
});
