import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteCourse } from '@registrar/contracts';
import { runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import {
  type CatalogFixture,
  crawledCourse,
  later,
  scopeOf,
  startCatalogFixture,
} from '../catalog.fixture.ts';

describe('course delete', () => {
  let catalog: CatalogFixture;

  let guid: string;

  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  beforeEach(async () => {
    catalog.provider.intercept = () => undefined;
    guid = randomUUID();
    catalog.account(1).addCourse(guid, 'Diving');
    await catalog.register(guid, { title: 'Deep diving', custom: 'one' });
  });
  afterAll(() => catalog.stop());

  const remove = ({ courseGuid = guid, scope = scopeOf() } = {}) =>
    catalog.bus.request(deleteCourse, { scope, courseGuid });
  const index = () => catalog.index({ courseGuid: guid });
  const published = async () =>
    (await catalog.published()).filter(({ courseGuid }) => courseGuid === guid);
  const notFound = { code: 'not-found' };

  it('deletes the course at the provider and here, and publishes it', async () => {
    const [course] = await index();
    expect(await remove()).toEqual(course);
    expect(catalog.account(1).courses.has(guid)).toBe(false);
    expect(await index()).toEqual([]);
    const acts = await catalog.published('catalog.audited');
    const subject = { course_guid: guid, application_id: 1 };
    expect(acts.slice(-2)).toMatchObject([
      { action: 'course.created', realmId: 1, subject: { ...subject, package: false } },
      { action: 'course.deleted', realmId: 1, subject },
    ]);
    expect(await published()).toMatchObject([
      { version: 1, deleted: false },
      {
        courseId: course?.id,
        applicationId: 1,
        courseGuid: guid,
        title: 'Deep diving',
        version: 2,
        deleted: true,
        registrationsDeletedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
      },
    ]);
  });

  it('fails with not-found for the second of two requests, one after the other or together', async () => {
    const outcomes = await Promise.allSettled([remove(), remove()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(remove()).rejects.toMatchObject(notFound);
    expect(await published()).toHaveLength(2);
  });

  it('returns the first response to a repetition under the same idempotency key', async () => {
    const context = { requestId: 'r', deadline: null, idempotencyKey: randomUUID() };
    const first = await runInRequestContext(context, () => remove());
    expect(await runInRequestContext(context, () => remove())).toEqual(first);
  });

  it.each([
    ['cannot be reached', 'drop', 'unavailable'],
    ['fails', { status: 500, body: { message: 'broken' } }, 'unavailable'],
    ['rejects the credentials', { status: 401, body: { message: 'no' } }, 'unavailable'],
    ['refuses', { status: 400, body: { message: 'The course is in use.' } }, 'invalid'],
  ] as const)('changes nothing when the provider %s', async (_, fault, code) => {
    catalog.provider.intercept = ({ method }) => (method === 'DELETE' ? fault : undefined);
    const before = await index();
    await expect(remove()).rejects.toMatchObject({ code });
    expect(await index()).toEqual(before);
    expect(await published()).toHaveLength(1);
    expect(catalog.account(1).courses.has(guid)).toBe(true);
  });

  it('course delete is completed by a repetition after the provider’s response was lost', async () => {
    catalog.provider.intercept = ({ method }) => {
      if (method !== 'DELETE') return undefined;
      return catalog.account(1).courses.has(guid) ? 'lose' : 'drop';
    };
    await expect(remove()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await index()).toHaveLength(1);
    catalog.provider.intercept = () => undefined;
    expect(await remove()).toMatchObject({ course_guid: guid });
    expect(await index()).toEqual([]);
  });

  it('course delete is not undone by a crawl that asked the provider before', async () => {
    await remove();
    const crawledAt = new Date(Date.now() - 60_000).toISOString();
    await catalog.crawled(1, [crawledCourse(guid)], { crawledAt });
    expect(await index()).toEqual([]);
    await catalog.crawled(2, [crawledCourse(guid)], { crawledAt: later });
    expect(await index()).toHaveLength(1);
  });

  it('leaves a course that is created again without the former title and custom text', async () => {
    await remove();
    catalog.account(1).addCourse(guid, 'Diving again');
    expect(await catalog.register(guid)).toMatchObject({ title: 'Diving again', custom: null });
    expect((await published()).at(-1)).toMatchObject({ deleted: false, version: 3 });
  });

  it.each([
    ['a user-bound key', scopeOf({ email: 'learner@example.com' })],
    ['access to one application', scopeOf({ applicationIds: [1] })],
  ])('fails with unauthenticated for %s', async (_, scope) => {
    await expect(remove({ scope })).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await index()).toHaveLength(1);
  });

  it('fails with not-found for a course that is unknown, of another realm or held by several applications', async () => {
    const otherRealm = { ...scopeOf({ realmId: 2 }), applicationIds: [3] };
    await expect(remove({ scope: otherRealm })).rejects.toMatchObject(notFound);
    await expect(remove({ courseGuid: 'flying' })).rejects.toMatchObject(notFound);
    await catalog.crawled(1, [crawledCourse(guid)], { applicationId: 2 });
    await expect(remove()).rejects.toMatchObject(notFound);
    expect(catalog.account(1).courses.has(guid)).toBe(true);
  });
});
