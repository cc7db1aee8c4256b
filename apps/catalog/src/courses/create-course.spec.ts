import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { courseRecord, type ProviderCourse } from '@registrar/contracts';
import { runInRequestContext } from '@registrar/platform';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  type CatalogFixture,
  later,
  scopeOf,
  startCatalogFixture,
  crawledCourse,
} from '../catalog.fixture.ts';

const importJobs = 'courses/importJobs/upload';

describe('course create', () => {
  let catalog: CatalogFixture;

  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  beforeEach(() => catalog.reset());
  afterAll(() => catalog.stop());

  describe('of a package', () => {
    it('sends the whole package to the provider and deletes the upload', async () => {
      const uploadId = await catalog.upload(randomBytes(1_300_000));
      expect(await catalog.storedUploads()).toEqual({ uploads: 1, pieces: 3 });
      const course = await catalog.createFrom(uploadId, 'swimming', { custom: '{"a":1}' });
      expect(catalog.account(1).courses.get('swimming')?.packageBytes).toBe(1_300_000);
      expect(course).toEqual(courseRecord.parse(course));
      expect(course).toMatchObject({
        course_guid: 'swimming',
        course_provider_id: 1,
        title: 'Title of swimming',
        size: 1_300_000,
        custom: '{"a":1}',
        registrations: 0,
      });
      expect(Object.keys(JSON.parse(course.metadata) as object)).toEqual([
        'title',
        'description',
        'duration',
        'typicaltime',
        'keywords',
      ]);
      expect(await catalog.index()).toEqual([course]);
      expect(await catalog.storedUploads()).toEqual({ uploads: 0, pieces: 0 });
    });

    it('publishes the new course', async () => {
      const { id } = await catalog.createFrom(await catalog.upload(randomBytes(10)), 'swimming');
      expect(await catalog.published()).toEqual([
        {
          courseId: id,
          applicationId: 1,
          courseGuid: 'swimming',
          title: 'Title of swimming',
          deleted: false,
          version: 1,
          keywords: [],
        },
      ]);
    });

    it('keeps the warnings of the import until the course has another version', async () => {
      const warnings = ['Prerequisites are not obeyed (intro).'];
      let found: string[] | undefined = warnings;
      catalog.provider.intercept = ({ method, path }) =>
        method === 'GET' && path.startsWith('courses/importJobs/')
          ? { status: 200, body: { status: 'COMPLETE', importResult: { parserWarnings: found } } }
          : undefined;
      const create = async () =>
        catalog.createFrom(await catalog.upload(randomBytes(10)), 'swimming');
      expect(await create()).toMatchObject({ warnings });
      const { versions: version } = (await catalog.index())[0] ?? { versions: 0 };
      const crawl = async (sequence: number, parts: Partial<ProviderCourse>) => {
        await catalog.crawled(sequence, [crawledCourse('swimming', parts)]);
        return (await catalog.index())[0]?.warnings;
      };
      expect(await crawl(1, { version })).toEqual(warnings);
      expect(await crawl(2, { version: version + 1 })).toEqual([]);
      expect(await crawl(3, { version: version + 1, warnings: ['a', 'b'] })).toEqual(['a', 'b']);
      found = undefined;
      expect(await create()).toMatchObject({ warnings: [] });
    });

    it('generates a guid when the request has none', async () => {
      const first = await catalog.createFrom(await catalog.upload(randomBytes(10)), null);
      const second = await catalog.createFrom(await catalog.upload(randomBytes(10)), null);
      expect(first.course_guid).not.toBe(second.course_guid);
      expect([...catalog.account(1).courses.keys()]).toEqual([
        first.course_guid,
        second.course_guid,
      ]);
    });

    it('creates a new version of an existing course', async () => {
      const first = await catalog.createFrom(await catalog.upload(randomBytes(10)), 'swimming', {
        title: 'Swimming',
        custom: 'kept',
      });
      const second = await catalog.createFrom(await catalog.upload(randomBytes(20)), 'swimming');
      expect(second).toMatchObject({ id: first.id, versions: first.versions + 1, size: 20 });
      expect(second).toMatchObject({ title: 'Swimming', custom: 'kept' });
      expect(await catalog.published()).toHaveLength(1);
    });

    it('inserts one course for two concurrent creates', async () => {
      const uploads = [
        await catalog.upload(randomBytes(10)),
        await catalog.upload(randomBytes(10)),
      ];
      const courses = await Promise.all(
        uploads.map((uploadId) => catalog.createFrom(uploadId, 'swimming')),
      );
      expect(courses[0]?.id).toBe(courses[1]?.id);
      expect(await catalog.index()).toHaveLength(1);
      expect(await catalog.published()).toHaveLength(1);
    });

    it('waits until the import has ended', async () => {
      let polls = 0;
      catalog.provider.intercept = ({ method, path }) => {
        if (method !== 'GET' || !path.startsWith('courses/importJobs/')) return undefined;
        polls += 1;
        return polls < 3 ? { status: 200, body: { status: 'RUNNING' } } : undefined;
      };
      await catalog.createFrom(await catalog.upload(randomBytes(10)), 'swimming');
      expect(polls).toBe(3);
    });

    it('fails with `expired` when the import outlasts the request', async () => {
      catalog.expireDuringImport();
      const uploadId = await catalog.upload(randomBytes(10));
      await expect(catalog.createFrom(uploadId, 'swimming')).rejects.toMatchObject({
        code: 'expired',
      });
      expect(await catalog.index()).toEqual([]);
    });

    it.each([
      ['at once', importJobs, { status: 400, body: { message: 'No manifest.' } }],
      [
        'after a look at it',
        'courses/importJobs/job-1',
        { status: 200, body: { status: 'ERROR', message: 'No manifest.' } },
      ],
    ])('leaves nothing of a package that is refused %s', async (_when, faulty, answer) => {
      catalog.provider.intercept = ({ path }) => (path === faulty ? answer : undefined);
      const failing = catalog.createFrom(await catalog.upload(randomBytes(10)), 'swimming');
      await expect(failing).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('No manifest.'),
      });
      expect(await catalog.index()).toEqual([]);
      expect(await catalog.published()).toEqual([]);
      expect(await catalog.storedUploads()).toEqual({ uploads: 0, pieces: 0 });
    });

    it('shows what the provider has found in a package that it refuses', async () => {
      const finding = {
        severity: 'error',
        file: 'imsmanifest.xml',
        line: 7,
        rule: 'launch-missing',
        message: 'The manifest launches gone.html, which the package does not contain.',
        remedy: 'Add the file.',
      };
      const refuseWith = (findings: unknown) => {
        const body = { status: 'ERROR', message: finding.message, findings };
        catalog.provider.intercept = ({ path }) =>
          path === 'courses/importJobs/job-1' ? { status: 200, body } : undefined;
      };
      refuseWith([finding]);
      const first = catalog.createFrom(await catalog.upload(randomBytes(10)), 'swimming');
      await expect(first).rejects.toMatchObject({ code: 'invalid', findings: [finding] });
      await catalog.reset();
      refuseWith('what another provider calls findings');
      const second = catalog.createFrom(await catalog.upload(randomBytes(10)), 'diving');
      await expect(second).rejects.toMatchObject({ code: 'invalid', findings: undefined });
    });

    it('keeps the upload when the provider is unavailable, so that the create can be repeated', async () => {
      catalog.provider.intercept = () => 'drop';
      const uploadId = await catalog.upload(randomBytes(10));
      await expect(catalog.createFrom(uploadId, 'swimming')).rejects.toMatchObject({
        code: 'unavailable',
      });
      expect(await catalog.index()).toEqual([]);
      catalog.provider.intercept = () => undefined;
      await catalog.createFrom(uploadId, 'swimming');
      expect(await catalog.index()).toHaveLength(1);
    });

    describe("when the provider's answer is lost", () => {
      const repeatable = () => {
        const operation = { requestId: 'r', deadline: null, idempotencyKey: randomUUID() };
        return <T>(work: () => Promise<T>) => runInRequestContext(operation, work);
      };
      const isImport = ({ method, path }: { method: string; path: string }) =>
        method === 'POST' && path === importJobs;
      const isLookAtJob = ({ method, path }: { method: string; path: string }) =>
        method === 'GET' && path.startsWith('courses/importJobs/');

      it.each([
        ['of a new course', null, isImport, 0],
        ['of a new course, at work on it', null, isLookAtJob, 0],
        ['of a new version', 'diving', isImport, 1],
        ['of a new version, at work on it', 'diving', isLookAtJob, 1],
      ])(
        'course create of a package, when the provider’s answer is lost, is completed by the same request: %s',
        async (_what, courseGuid, isLost, versions) => {
          if (courseGuid) catalog.account(1).addCourse(courseGuid);
          const again = repeatable();
          const uploadId = await catalog.upload(randomBytes(10));
          const create = () => again(() => catalog.createFrom(uploadId, courseGuid));
          let lost = false;
          catalog.provider.intercept = (request) => {
            if (!isLost(request) || lost) return undefined;
            lost = request.method === 'POST';
            return 'lose';
          };
          await expect(create()).rejects.toMatchObject({ code: 'unavailable' });
          catalog.provider.intercept = () => undefined;
          const course = await create();
          expect(course).toMatchObject({ versions, size: 10 });
          expect(catalog.provider.requests.filter(isImport)).toHaveLength(1);
          expect([...catalog.account(1).courses.keys()]).toEqual([course.course_guid]);
          expect(await create()).toEqual(course);
          expect(await catalog.index()).toEqual([course]);
        },
      );

      it('completes although the provider was still importing at the first attempt', async () => {
        const again = repeatable();
        const uploadId = await catalog.upload(randomBytes(10));
        const create = () => again(() => catalog.createFrom(uploadId, null));
        catalog.provider.intercept = (request) => (isImport(request) ? 'lose' : undefined);
        await expect(create()).rejects.toMatchObject({ code: 'unavailable' });
        let looks = 0;
        catalog.provider.intercept = ({ method, path }) => {
          if (method !== 'GET' || !/^courses\/[^/]+$/.test(path) || (looks += 1) > 1)
            return undefined;
          return { status: 404, body: { message: 'not there yet' } };
        };
        expect(await create()).toMatchObject({ versions: 0 });
        expect(catalog.account(1).courses.size).toBe(1);
      });
    });

    it('fails with not-found for an unknown upload and for one of another realm', async () => {
      await expect(catalog.createFrom(randomUUID(), 'swimming')).rejects.toMatchObject({
        code: 'not-found',
      });
      const uploadId = await catalog.upload(randomBytes(10));
      const foreign = { scope: scopeOf({ realmId: 2, applicationIds: [3] }), applicationId: 3 };
      await expect(catalog.createFrom(uploadId, 'swimming', foreign)).rejects.toMatchObject({
        code: 'not-found',
      });
      expect(catalog.provider.requestsTo(importJobs)).toEqual([]);
      expect(await catalog.storedUploads()).toEqual({ uploads: 1, pieces: 1 });
    });
  });

  describe('of a course that the provider holds', () => {
    beforeEach(() => catalog.account(1).addCourse('diving', 'Diving', 500));

    it('stores the course', async () => {
      const course = await catalog.register('diving', { custom: 'x' });
      expect(course).toMatchObject({ course_guid: 'diving', title: 'Diving', custom: 'x' });
      expect(await catalog.index()).toEqual([course]);
      expect(await catalog.published()).toMatchObject([{ courseGuid: 'diving', version: 1 }]);
    });

    it('fails with not-found for a course that the provider does not hold', async () => {
      await expect(catalog.register('flying', { title: 'Flying' })).rejects.toMatchObject({
        code: 'not-found',
      });
      expect(await catalog.index()).toEqual([]);
    });

    it('updates the given title and custom text of a course that is registered already', async () => {
      const first = await catalog.register('diving', { custom: 'one' });
      const second = await catalog.register('diving', { title: 'Deep diving' });
      const third = await catalog.register('diving', { custom: 'two' });
      expect(second).toMatchObject({ id: first.id, title: 'Deep diving', custom: 'one' });
      expect(third).toMatchObject({ id: first.id, title: 'Deep diving', custom: 'two' });
      expect(await catalog.published()).toMatchObject([
        { title: 'Diving', version: 1 },
        { title: 'Deep diving', version: 2 },
      ]);
    });

    it('inserts one course for two concurrent registrations of it', async () => {
      const courses = await Promise.all([catalog.register('diving'), catalog.register('diving')]);
      expect(courses[0].id).toBe(courses[1].id);
      expect(await catalog.published()).toHaveLength(1);
    });

    it('restores a deleted course', async () => {
      const { id } = await catalog.register('diving');
      await catalog.swept(5, []);
      expect(await catalog.register('diving')).toMatchObject({ id });
      expect(await catalog.published()).toMatchObject([
        { deleted: false, version: 1 },
        { deleted: true, version: 2 },
        { deleted: false, version: 3 },
      ]);
    });

    it('fails with unavailable when the provider refuses the credentials', async () => {
      catalog.provider.intercept = () => ({ status: 401, body: { message: 'Unauthorized' } });
      await expect(catalog.register('diving')).rejects.toMatchObject({ code: 'unavailable' });
    });
  });

  describe('with a title', () => {
    beforeEach(() => catalog.account(1).addCourse('diving', 'Diving'));

    it('sets the title at the provider, and keeps it whatever later crawls report', async () => {
      await catalog.register('diving', { title: 'Deep diving' });
      expect(catalog.account(1).courses.get('diving')?.title).toBe('Deep diving');
      await catalog.crawled(1, [crawledCourse('diving', { title: 'Shallow diving' })]);
      expect(await catalog.index()).toMatchObject([{ title: 'Deep diving' }]);
    });

    it('keeps the title when the provider refuses it', async () => {
      catalog.provider.intercept = ({ method }) =>
        method === 'PUT' ? { status: 400, body: { message: 'Too long.' } } : undefined;
      const course = await catalog.register('diving', { title: 'Deep diving' });
      expect(course.title).toBe('Deep diving');
      expect(catalog.lines()).toContainEqual(
        expect.objectContaining({ msg: 'the title of a course could not be set at the provider' }),
      );
    });
  });

  it('course create is not undone by a crawl or a sweep that read the provider earlier', async () => {
    catalog.account(1).addCourse('diving', 'Diving');
    await catalog.register('diving');
    const earlier = '2020-01-01T00:00:00Z';
    await catalog.crawled(5, [crawledCourse('diving', { title: 'Old' })], { crawledAt: earlier });
    await catalog.swept(6, [], { startedAt: earlier });
    expect(await catalog.index()).toMatchObject([{ title: 'Diving' }]);
    await catalog.swept(7, [], { startedAt: later });
    expect(await catalog.index()).toEqual([]);
  });

  it('course create is allowed for a pair or an unbound key that reaches exactly one provider application', async () => {
    catalog.account(2).addCourse('diving');
    const one = { scope: scopeOf({ applicationIds: [2] }), applicationId: null };
    expect(await catalog.register('diving', one)).toMatchObject({ course_provider_id: 2 });
    await expect(catalog.register('diving', { applicationId: null })).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(catalog.register('diving', { applicationId: 3 })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const bound = { scope: scopeOf({ email: 'learner@example.com' }) };
    await expect(catalog.register('diving', bound)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });
});
