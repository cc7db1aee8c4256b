import { randomUUID } from 'node:crypto';
import { previewCourse } from '@registrar/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogFixture, scopeOf, startCatalogFixture } from '../catalog.fixture.ts';

describe('course preview', () => {
  let catalog: CatalogFixture;
  const courseGuid: string = randomUUID();

  beforeAll(async () => {
    catalog = await startCatalogFixture();
    catalog.account(1).addCourse(courseGuid);
    await catalog.register(courseGuid);
  });
  afterAll(() => catalog?.stop());

  const preview = (scope = scopeOf(), guid = courseGuid) =>
    catalog.bus.request(previewCourse, { scope, courseGuid: guid });

  it('a preview is a link of the provider that is valid for two minutes', async () => {
    const { url } = await preview();
    expect(url).toContain(`https://player.invalid/${courseGuid}`);
    expect(new URL(url).searchParams.get('expiry')).toBe('120');
  });

  it('a course of another application, and an unknown one, have no preview', async () => {
    await expect(preview({ ...scopeOf(), applicationIds: [2] })).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(preview(scopeOf(), 'unknown')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('a scope that may not launch gets no preview', async () => {
    await expect(preview({ ...scopeOf(), permissions: ['read', 'write'] })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });
});
