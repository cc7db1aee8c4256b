import { sql } from '@registrar/persistence';
import { buildSamplePackage } from '@registrar/sample-courses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import * as z from 'zod';
import { smallestPackage } from '../testing/make-package.ts';

interface CourseList {
  courses: { id: string; title: string; created: string; updated: string }[];
  more?: string;
}

describe('the courses of the API', () => {
  let fixture: ProviderFixture;

  beforeAll(async () => {
    fixture = await startProviderFixture();
  });
  afterAll(() => fixture?.stop());

  /** An application with these courses, imported in this order. */
  const withCourses = async (...ids: string[]): Promise<Client> => {
    const client = await fixture.client();
    for (const id of ids) await client.import(id, await smallestPackage(`Title of ${id}`));
    return client;
  };
  const list = async (client: Client, query: Record<string, string> = {}) => {
    const { status, body } = await client.get<CourseList>('courses', query);
    expect(status).toBe(200);
    return body;
  };
  const idsOf = async (client: Client, query: Record<string, string> = {}) =>
    (await list(client, query)).courses.map(({ id }) => id);

  it('a course has metadata, registration count and activities if requested', async () => {
    const client = await fixture.client();
    await client.import('aid', await buildSamplePackage('first-aid-basics'));
    await client.register('aid');
    const summary = {
      id: 'aid',
      title: 'First aid basics',
      created: expect.stringMatching(/Z$/),
      updated: expect.stringMatching(/Z$/),
      version: 0,
      size: expect.any(Number),
      activityId: 'course',
      courseLearningStandard: 'SCORM12',
      tags: [],
      dispatched: false,
    };
    const metadata = {
      title: 'First aid basics',
      description: expect.stringContaining('first minutes'),
      duration: '',
      typicalTime: '00:10:00',
      keywords: ['first aid', 'safety'],
    };
    const parserWarnings: string[] = [];
    expect(await list(client)).toEqual({ courses: [summary] });
    expect(
      await list(client, { includeCourseMetadata: 'True', includeRegistrationCount: 'true' }),
    ).toEqual({ courses: [{ ...summary, metadata, parserWarnings, registrationCount: 1 }] });

    const rootActivity = {
      itemIdentifier: 'course',
      activityType: 'AGGREGATION',
      title: 'First aid basics',
      children: [
        {
          itemIdentifier: 'lesson',
          resourceIdentifier: 'lesson-files',
          href: 'index.html',
          activityType: 'SCO',
          title: expect.any(String),
          children: [],
        },
      ],
    };
    expect((await client.get('courses/aid')).body).toEqual({ ...summary, rootActivity });
    expect(
      (await client.get('courses/aid', { includeRegistrationCount: 'true' })).body,
    ).toMatchObject({ registrationCount: 1 });
  });

  it('orderBy sorts courses, newest first by default', async () => {
    const client = await withCourses('a', 'b', 'c');
    await client.sendJson('PUT', 'courses/b/title', { title: 'Newer' });
    expect(await idsOf(client)).toEqual(['c', 'b', 'a']);
    expect(await idsOf(client, { orderBy: 'created_asc' })).toEqual(['a', 'b', 'c']);
    expect(await idsOf(client, { orderBy: 'updated_desc' })).toEqual(['b', 'c', 'a']);
    expect((await client.get('courses', { orderBy: 'title' })).status).toBe(400);
  });

  it('since and until filter courses by creation or update time, both inclusive', async () => {
    const client = await withCourses('a', 'b');
    await client.sendJson('PUT', 'courses/a/title', { title: 'Newer' });
    const { courses } = await list(client, { orderBy: 'created_asc' });
    const [a, b] = courses;
    if (!a || !b) throw new Error('two courses were imported');
    expect(await idsOf(client, { since: a.updated })).toEqual(['a']);
    expect(await idsOf(client, { until: b.updated })).toEqual(['b']);
    const created = { datetimeFilter: 'created' };
    expect(await idsOf(client, { ...created, since: b.created })).toEqual(['b']);
    expect(await idsOf(client, { ...created, since: a.created, until: a.created })).toEqual(['a']);
    expect(await idsOf(client, { since: b.updated.slice(0, -1) })).toContain('b');
    for (const since of ['yesterday', '2024-13-01', '1700000000']) {
      expect(await client.get('courses', { since })).toMatchObject({
        status: 400,
        body: { message: 'since: not an ISO 8601 date and time' },
      });
    }
  });

  it('the courses of the API filter finds courses by a part of their id or title, taken literally', async () => {
    const client = await withCourses('north 1', 'south_2', 'SOUTH%3');
    expect(await idsOf(client, { filter: 'south' })).toEqual(['SOUTH%3', 'south_2']);
    expect(await idsOf(client, { filter: '%' })).toEqual(['SOUTH%3']);
    expect(await idsOf(client, { filter: 'OF NORTH', filterBy: 'title' })).toEqual(['north 1']);
    expect(await idsOf(client, { filter: "' OR 1=1 --" })).toEqual([]);
  });

  it('tags filters courses, and includeTotalCount counts them in a header', async () => {
    const client = await withCourses('a', 'b', 'c');
    await client.sendJson('PUT', 'courses/a/tags', { tags: ['sea', 'boat'] });
    await client.sendJson('PUT', 'courses/c/tags', { tags: ['boat'] });
    expect(await idsOf(client, { tags: 'boat' })).toEqual(['c', 'a']);
    expect(await idsOf(client, { tags: 'sea,air' })).toEqual(['a']);
    expect((await client.get('courses/a')).body).toMatchObject({ tags: ['sea', 'boat'] });
    const counted = await client.get('courses', { tags: 'boat', includeTotalCount: 'true' });
    expect(counted.headers.get('x-total-count')).toBe('2');
    expect((await client.sendJson('DELETE', 'courses/c/tags', { tags: ['boat'] })).status).toBe(
      204,
    );
    expect((await client.get('courses/c/tags')).body).toEqual({ tags: [] });
  });

  it('pages contain each course once', async () => {
    const client = await withCourses('template');
    const ownCourses = sql`c.application_id =
      (SELECT id FROM applications WHERE app_id = ${client.appId})`;
    await fixture.database.execute(
      sql`WITH made AS (
            INSERT INTO courses (application_id, course_id, title)
            SELECT application_id, 'copy ' || n, title
            FROM courses AS c, generate_series(1, 1000) AS n
            WHERE ${ownCourses}
            RETURNING id)
          INSERT INTO course_versions (course, version, title, size, structure)
          SELECT made.id, 0, v.title, v.size, v.structure
          FROM made, (SELECT v.* FROM course_versions AS v JOIN courses AS c ON c.id = v.course
                      WHERE ${ownCourses}) AS v`,
    );
    const found: string[] = [];
    let query: Record<string, string> = { orderBy: 'updated_asc', filter: 'copy' };
    const sizes: number[] = [];
    for (;;) {
      const page = await list(client, query);
      sizes.push(page.courses.length);
      found.push(...page.courses.map(({ id }) => id));
      if (page.more === undefined) break;
      query = { more: page.more };
    }
    expect(sizes).toEqual([500, 500]);
    expect(new Set(found).size).toBe(1000);
    const beyond = { query: {}, after: { at: '2026-01-01T00:00:00Z', id: 2 ** 53 } };
    const tokens = [{ query: {} }, beyond].map((token) =>
      Buffer.from(JSON.stringify(token)).toString('base64url'),
    );
    for (const more of ['x', ...tokens]) {
      expect(await client.get('courses', { more })).toMatchObject({
        status: 400,
        body: { message: 'more: not a token of this list' },
      });
    }
  });

  it('the courses of the API PUT title changes the title of a course', async () => {
    const client = await withCourses('a');
    expect((await client.sendJson('PUT', 'courses/a/title', { title: '“New” – ß' })).status).toBe(
      204,
    );
    expect((await client.get('courses/a')).body).toMatchObject({ title: '“New” – ß' });
    expect((await client.sendJson('PUT', 'courses/a/title', {})).status).toBe(400);
    expect((await client.sendJson('PUT', 'courses/a/title', { title: '' })).status).toBe(400);
    expect((await client.sendJson('PUT', 'courses/b/title', { title: 'b' })).status).toBe(404);
  });

  it('versions lists the versions of a course, newest first', async () => {
    const client = await withCourses('a');
    const may = { mayCreateNewVersion: 'true' };
    await client.import('a', await smallestPackage('Second'), may);
    const { body } = await client.get<CourseList>('courses/a/versions', {
      includeRegistrationCount: 'true',
    });
    expect(body).toMatchObject({
      courses: [
        { id: 'a', version: 1, title: 'Second', registrationCount: 0 },
        { id: 'a', version: 0, title: 'Title of a', registrationCount: 0 },
      ],
    });
    const until = body.courses[1]?.updated ?? '';
    expect((await client.get('courses/a/versions', { until })).body).toMatchObject({
      courses: [{ version: 0 }],
    });
    expect((await list(client)).courses).toMatchObject([{ version: 1, title: 'Second' }]);
    expect((await client.get('courses/b/versions')).status).toBe(404);
  });

  it('one version of a course is read with its activities, and deleted with its registrations', async () => {
    const client = await withCourses('a');
    const first = await client.register('a');
    const may = { mayCreateNewVersion: 'true' };
    await client.import('a', await smallestPackage('Second'), may);
    const second = await client.register('a');
    expect((await client.get('courses/a/versions/0')).body).toMatchObject({
      id: 'a',
      version: 0,
      title: 'Title of a',
      rootActivity: { children: [{}] },
    });
    const query = { includeRegistrationCount: 'true', includeCourseMetadata: 'true' };
    expect((await client.get('courses/a/versions/1', query)).body).toMatchObject({
      version: 1,
      registrationCount: 1,
      metadata: {},
    });
    const stranger = await fixture.client();
    for (const path of ['a/versions/2', 'b/versions/0']) {
      expect((await client.get(`courses/${path}`)).status).toBe(404);
      expect((await client.delete(`courses/${path}`)).status).toBe(404);
    }
    expect((await stranger.get('courses/a/versions/0')).status).toBe(404);
    expect((await stranger.delete('courses/a/versions/0')).status).toBe(404);
    expect((await client.get('courses/a/versions/-1')).status).toBe(400);
    expect((await client.delete('courses/a/versions/1')).status).toBe(204);
    expect((await client.get(`registrations/${second}`)).status).toBe(404);
    expect((await client.get('courses/a')).body).toMatchObject({ version: 0 });
    expect((await client.get(`registrations/${first}`)).status).toBe(200);
    expect((await client.delete('courses/a/versions/0')).status).toBe(204);
    expect(await idsOf(client)).toEqual([]);
  });

  it('tags are added to several courses, or to none', async () => {
    const client = await withCourses('a', 'b', 'c');
    const add = (ids: string[], tags: string[], owner = client) =>
      owner.sendJson('PUT', 'courses/tags', { ids, tags });
    const tagsOf = async () =>
      Promise.all(
        ['a', 'b', 'c'].map(async (id) => {
          const { body } = await client.get<{ tags: string[] }>(`courses/${id}/tags`);
          return body.tags;
        }),
      );
    await client.sendJson('PUT', 'courses/b/tags', { tags: ['sea'] });
    expect((await add(['a', 'b', 'a'], ['boat', 'sea', 'boat'])).status).toBe(204);
    expect(await tagsOf()).toEqual([['boat', 'sea'], ['sea', 'boat'], []]);
    expect(await add(['c', 'unknown'], ['air'])).toMatchObject({
      status: 404,
      body: { message: 'Could not find course [unknown]' },
    });
    const many = Array.from({ length: 99 }, (_, n) => `tag ${n}`);
    expect(await add(['c', 'a'], many)).toMatchObject({
      status: 400,
      body: { message: 'tags: a would have more than 100' },
    });
    expect((await add(['a'], ['air'], await fixture.client())).status).toBe(404);
    expect(await tagsOf()).toEqual([['boat', 'sea'], ['sea', 'boat'], []]);
  });

  it('the courses of the API DELETE removes a course with its versions, files and registrations', async () => {
    const client = await withCourses('a', 'b');
    const registration = await client.register('a');
    expect((await client.delete('courses/a')).status).toBe(204);
    expect((await client.delete('courses/a')).status).toBe(404);
    expect((await client.get('courses/a')).status).toBe(404);
    expect((await client.get(`registrations/${registration}`)).status).toBe(404);
    expect(await idsOf(client)).toEqual(['b']);
    expect(
      await fixture.database.many(
        z.object({ file: z.number() }),
        sql`SELECT file FROM package_pieces WHERE file NOT IN (SELECT id FROM package_files)`,
      ),
    ).toEqual([]);
  });
});
