import { sql } from '@registrar/persistence';
import { buildSamplePackage } from '@registrar/sample-courses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.ts';
import type { RegistrationRecord } from './registration-record.ts';

interface RegistrationList {
  registrations: { id: string; createdDate: string; updated: string }[];
  more?: string;
}

describe('the registrations of the API', () => {
  let fixture: ProviderFixture;

  beforeAll(async () => {
    fixture = await startProviderFixture();
  });
  afterAll(() => fixture?.stop());

  const withCourse = async (registrationLimit: number | null = null): Promise<Client> => {
    const client = await fixture.client(registrationLimit);
    await client.import('course', await smallestPackage());
    return client;
  };
  const list = async (client: Client, query: Record<string, string> = {}) => {
    const { status, body } = await client.get<RegistrationList>('registrations', query);
    expect(status).toBe(200);
    return body;
  };
  const idsOf = async (client: Client, query: Record<string, string> = {}) =>
    (await list(client, query)).registrations.map(({ id }) => id);
  const learner = { id: 'learner@example.com', firstName: 'Ada', lastName: 'Lovelace' };
  const create = (client: Client, parts: object) =>
    client.sendJson<{ message: string }>('POST', 'registrations', {
      courseId: 'course',
      registrationId: randomUUID(),
      learner,
      ...parts,
    });

  it('a new registration has an UNKNOWN result', async () => {
    const client = await withCourse();
    const registrationId = 'registration 1/ä';
    const email = 'learner@example.com';
    expect((await create(client, { registrationId, learner: { ...learner, email } })).status).toBe(
      204,
    );
    const path = `registrations/${encodeURIComponent(registrationId)}`;
    const { body } = await client.get<RegistrationList['registrations'][0]>(path);
    expect(body).toEqual({
      id: registrationId,
      instance: 0,
      createdDate: expect.stringMatching(/Z$/),
      updated: expect.stringMatching(/Z$/),
      registrationCompletion: 'UNKNOWN',
      registrationCompletionAmount: 0,
      registrationSuccess: 'UNKNOWN',
      totalSecondsTracked: 0,
      course: { id: 'course', title: 'Made course', version: 0 },
      learner: { ...learner, email },
      hasOpenLaunch: false,
      tags: [],
      globalObjectives: [],
      sharedData: [],
      activityDetails: {
        id: 'org',
        title: 'Made course',
        attempts: 0,
        activityCompletion: 'UNKNOWN',
        activitySuccess: 'UNKNOWN',
        timeTracked: '0000:00:00.00',
        completionAmount: { scaled: 0 },
        suspended: false,
        children: [],
        objectives: [],
        staticProperties: expect.objectContaining({ scaledPassingScoreUsed: false }),
      },
    });
    expect((await client.get(`${path}/instances`)).body).toEqual({ registrations: [body] });
    expect((await client.get(`${path}/launchHistory`)).body).toEqual({ launchHistory: [] });
    expect(await list(client)).toEqual({ registrations: [body] });
  });

  it('includeChildResults adds the items of the course to a registration', async () => {
    const client = await fixture.client();
    await client.import('fire', await buildSamplePackage('fire-safety'));
    const id = await client.register('fire');
    const asked = { includeChildResults: 'true', includeRuntime: 'true' };
    const children = [{ id: 'prevention' }, { id: 'evacuation' }];
    expect((await client.get(`registrations/${id}`, asked)).body).toMatchObject({
      activityDetails: { children },
    });
    expect(await list(client, asked)).toMatchObject({
      registrations: [{ activityDetails: { children } }],
    });
  });

  it('an invalid create returns 400 or 404 with a message', async () => {
    const client = await withCourse();
    const registrationId = await client.register('course');
    const refused = async (parts: object, withStatus = 400) => {
      const { status, body } = await create(client, parts);
      expect(status).toBe(withStatus);
      return body.message;
    };
    expect(await refused({ registrationId })).toBe(
      `Registration with id [${registrationId}] already exists`,
    );
    expect(await refused({ courseId: 'unknown' }, 404)).toBe('Could not find course [unknown]');
    expect(await refused({ courseId: undefined })).toBe('courseId: is missing');
    expect(await refused({ registrationId: 'a\nb' })).toContain('registrationId: ');
    expect(await refused({ registrationId: 'x'.repeat(256) })).toContain('registrationId: ');
    expect(await refused({ learner: undefined })).toContain('learner: ');
    expect(await refused({ learner: { ...learner, id: '' } })).toContain('learner.id: ');
    expect(await refused({ learner: { ...learner, firstName: '\0' } })).toContain('character');
    expect(await idsOf(client)).toEqual([registrationId]);
  });

  it("concurrent creates do not exceed the application's limit", async () => {
    const client = await withCourse(3);
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(client, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...[204, 204, 204, 400, 400, 400, 400, 400],
    ]);
    const refusal = answers.find(({ status }) => status === 400);
    expect(refusal?.body.message).toBe(
      'The maximum number of registrations for this account has been reached.',
    );
    const [id] = await idsOf(client);
    await client.delete(`registrations/${id ?? ''}`);
    expect((await create(client, {})).status).toBe(204);
  });

  it('concurrent identical creates insert one registration', async () => {
    const client = await withCourse();
    const registrationId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => create(client, { registrationId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
  });

  it('a create during the deletion of its course returns 404', async () => {
    const client = await withCourse();
    const answer = await fixture.sendDuring(
      sql`DELETE FROM courses AS c USING applications AS a
          WHERE a.id = c.application_id AND a.app_id = ${client.appId}`,
      () => create(client, {}),
    );
    expect(answer.status).toBe(404);
  });

  it('a registration is created for the newest version of its course, and keeps it until its progress is deleted', async () => {
    const client = await withCourse();
    const old = await client.register('course');
    await client.import('course', await smallestPackage('Second'), { mayCreateNewVersion: 'true' });
    const young = await client.register('course');
    const versionOf = async (id: string) =>
      (await client.get<{ course: object }>(`registrations/${id}`)).body.course;
    expect(await versionOf(old)).toMatchObject({ version: 0 });
    expect(await versionOf(young)).toMatchObject({ version: 1 });
    await client.delete(`registrations/${old}/progress`);
    expect(await versionOf(old)).toMatchObject({ version: 1 });
  });

  it('courseId and learnerId filter the list of registrations', async () => {
    const client = await withCourse();
    await client.import('other', await smallestPackage());
    const first = await client.register('course', 'a@example.com');
    const second = await client.register('other', 'a@example.com');
    const third = await client.register('other', 'b@example.com');
    expect(await idsOf(client)).toEqual([third, second, first]);
    expect(await idsOf(client, { courseId: 'other' })).toEqual([third, second]);
    expect(await idsOf(client, { learnerId: 'a@example.com' })).toEqual([second, first]);
    expect(await idsOf(client, { learnerId: 'a@example.com', courseId: 'other' })).toEqual([
      second,
    ]);
    expect(await idsOf(client, { learnerId: 'A@example.com' })).toEqual([]);
  });

  it('the registrations of the API filter and filterBy find registrations by a part of a field, in any case', async () => {
    const client = await withCourse();
    await client.import('other', await smallestPackage('Rowing'));
    const ada = await client.register('course', 'ada@example.com');
    const bob = await client.register('other', 'bob%@example.com');
    expect(await idsOf(client, { filter: ada.slice(4, 20).toUpperCase() })).toEqual([ada]);
    expect(await idsOf(client, { filter: 'B%', filterBy: 'learner_id' })).toEqual([bob]);
    expect(await idsOf(client, { filter: 'ROW', filterBy: 'course_title' })).toEqual([bob]);
    expect(await idsOf(client, { filter: 'urs', filterBy: 'course_id' })).toEqual([ada]);
    expect(await idsOf(client, { filter: 'lovel', filterBy: 'learner_last_name' })).toEqual([
      ...[bob, ada],
    ]);
    expect((await client.get('registrations', { filterBy: 'nothing' })).status).toBe(400);
  });

  it('tags filters registrations by any of their tags, which can be added and removed', async () => {
    const client = await withCourse();
    const [a, b, c] = ['a', 'b', 'c'].map(() => randomUUID());
    await create(client, { registrationId: a, registrationTags: ['spring', 'night shift'] });
    await create(client, { registrationId: b, registrationTags: ['autumn'] });
    await create(client, { registrationId: c });
    expect(await idsOf(client, { tags: 'spring' })).toEqual([a]);
    expect(await idsOf(client, { tags: 'night shift, autumn' })).toEqual([b, a]);
    expect(await idsOf(client, { tags: 'winter' })).toEqual([]);
    expect((await client.get('registrations', { tags: '' })).status).toBe(400);
    const path = `registrations/${c}/tags`;
    expect((await client.sendJson('PUT', path, { tags: ['winter', 'winter'] })).status).toBe(204);
    expect((await client.sendJson('PUT', path, { tags: ['spring'] })).status).toBe(204);
    expect((await client.get(path)).body).toEqual({ tags: ['winter', 'spring'] });
    expect(await idsOf(client, { tags: 'spring' })).toEqual([c, a]);
    expect((await client.sendJson('DELETE', path, { tags: ['spring'] })).status).toBe(204);
    expect((await list(client, { tags: 'winter' })).registrations).toMatchObject([
      { id: c, tags: ['winter'] },
    ]);
    const many = Array.from({ length: 100 }, (_, at) => `tag ${at}`);
    expect((await client.sendJson('PUT', path, { tags: many })).status).toBe(400);
    expect((await client.sendJson('PUT', path, { tags: ['a,b'] })).status).toBe(400);
    expect((await client.get('registrations/unknown/tags')).status).toBe(404);
    expect((await (await fixture.client()).get(path)).status).toBe(404);
  });

  it('includeTotalCount adds the total count to the first page, as a header', async () => {
    const client = await withCourse();
    const learnerId = 'ada@example.com';
    await client.register('course', learnerId);
    await client.register('course', 'bob@example.com');
    const count = async (query: Record<string, string>) =>
      (await client.get('registrations', query)).headers.get('x-total-count');
    expect(await count({ includeTotalCount: 'true' })).toBe('2');
    expect(await count({ includeTotalCount: 'true', learnerId })).toBe('1');
    expect(await count({})).toBeNull();
  });

  it('since and until filter registrations by creation or update time, both inclusive', async () => {
    const client = await withCourse();
    const [a, b] = [await client.register('course'), await client.register('course')];
    await client.delete(`registrations/${a}/progress`);
    const { registrations } = await list(client, { orderBy: 'created_asc' });
    const [first, second] = registrations;
    if (!first || !second) throw new Error('two registrations were created');
    const updated = { datetimeFilter: 'updated' };
    expect(await idsOf(client, { ...updated, since: first.updated })).toEqual([a]);
    expect(await idsOf(client, { ...updated, until: second.updated })).toEqual([b]);
    expect(
      await idsOf(client, { ...updated, since: second.updated, orderBy: 'updated_asc' }),
    ).toEqual([b, a]);
    expect(await idsOf(client, { since: second.createdDate })).toEqual([b]);
    expect(await idsOf(client, { since: first.createdDate, until: first.createdDate })).toEqual([
      a,
    ]);
    expect((await client.get('registrations', { until: 'now' })).status).toBe(400);
    expect((await client.get('registrations', { datetimeFilter: 'seen' })).status).toBe(400);
  });

  it('pages contain each registration once, while others are created', async () => {
    const client = await withCourse();
    const template = await client.register('course');
    await fixture.database.execute(
      sql`INSERT INTO registrations (application_id, registration_id, course, course_version,
                                     learner_id, first_name, last_name, created_at, updated_at)
          SELECT application_id, 'copy ' || n, course, course_version, learner_id, '', '',
                 created_at - n / 7 * interval '1 ms', created_at - n / 7 * interval '1 ms'
          FROM registrations, generate_series(1, 1199) AS n WHERE registration_id = ${template}`,
    );
    const all = async (query: Record<string, string>) => {
      const found: string[] = [];
      const sizes: number[] = [];
      for (let asked = query; ;) {
        const page = await list(client, asked);
        sizes.push(page.registrations.length);
        found.push(...page.registrations.map(({ id }) => id));
        if (page.more === undefined) return { found, sizes };
        asked = { more: page.more };
        await client.register('course');
      }
    };
    const { more } = await list(client, { learnerId: 'learner@example.com' });
    const continued = { more: more ?? '', learnerId: 'learner@example.com' };
    expect((await client.get('registrations', continued)).status).toBe(200);
    expect(
      await client.get('registrations', { ...continued, learnerId: 'b@example.com' }),
    ).toMatchObject({ status: 400, body: { message: expect.stringContaining('learnerId') } });
    const summaries = await all({ learnerId: 'learner@example.com' });
    expect(summaries.sizes).toEqual([500, 500, 200]);
    expect(new Set(summaries.found).size).toBe(1200);
    const full = await all({ includeChildResults: 'true', includeRuntime: 'true' });
    expect(full.sizes[0]).toBe(100);
    expect(new Set(full.found).size).toBe(1202);
    expect((await client.get('registrations', { more: 'x' })).status).toBe(400);
  });

  it('HEAD returns 200 for a registration that exists, else 404', async () => {
    const client = await withCourse();
    const id = await client.register('course');
    const head = (name: string) => client.send(`registrations/${name}`, { method: 'HEAD' });
    expect((await head(id)).status).toBe(200);
    expect((await head('unknown')).status).toBe(404);
  });

  it('the registrations of the API DELETE removes a registration, or only its progress', async () => {
    const client = await withCourse();
    const id = await client.register('course');
    expect((await client.delete(`registrations/${id}/progress`)).status).toBe(204);
    expect((await client.get(`registrations/${id}`)).status).toBe(200);
    expect((await client.delete(`registrations/${id}`)).status).toBe(204);
    for (const path of ['', '/instances', '/launchHistory']) {
      expect(await client.get(`registrations/${id}${path}`)).toMatchObject({
        status: 404,
        body: { message: `Could not find registration [${id}]` },
      });
    }
    expect((await client.delete(`registrations/${id}`)).status).toBe(404);
    expect((await client.delete(`registrations/${id}/progress`)).status).toBe(404);
  });

  it('a new registration has the instance 0 alone', async () => {
    const client = await withCourse();
    const id = await client.register('course');
    const at = (path: string, query = {}) => client.get(`registrations/${id}/${path}`, query);
    const { body } = await client.get<RegistrationRecord>(`registrations/${id}`);
    expect((await at('instances/0')).body).toEqual(body);
    expect((await at('instances/0', { includeChildResults: 'true' })).body).toMatchObject({
      activityDetails: { children: [{}] },
    });
    expect((await at('instances/0/launchHistory')).body).toEqual({ launchHistory: [] });
    for (const path of ['instances/1', 'instances/x', 'instances/1/launchHistory']) {
      expect((await at(path)).status).toBe(404);
    }
    expect((await at('instances', { since: body.updated })).body).toEqual({
      registrations: [body],
    });
    const earlier = { until: '2020-01-01T00:00:00Z' };
    expect((await at('instances', earlier)).body).toEqual({ registrations: [] });
    expect((await at('launchHistory', { includeHistoryLog: 'False' })).status).toBe(200);
    expect(await at('launchHistory', { includeHistoryLog: 'true' })).toMatchObject({
      status: 400,
      body: { message: 'includeHistoryLog: there is no log of the course windows' },
    });
  });

  it('courseVersion registers a learner for a version that is not the newest', async () => {
    const client = await withCourse();
    await client.import('course', await smallestPackage(), { mayCreateNewVersion: 'true' });
    const createFor = async (courseVersion: string) => {
      const registrationId = randomUUID();
      const { status, body } = await client.sendJson<{ message: string }>(
        'POST',
        `registrations?courseVersion=${courseVersion}`,
        { courseId: 'course', registrationId, learner },
      );
      if (status !== 204) return [status, body.message];
      const created = await client.get(`registrations/${registrationId}`);
      return created.body;
    };
    expect(await createFor('0')).toMatchObject({ course: { version: 0 } });
    expect(await createFor('1')).toMatchObject({ course: { version: 1 } });
    expect(await createFor('2')).toEqual([404, 'Could not find version 2 of course [course]']);
    expect(await createFor('x')).toEqual([400, 'courseVersion: is not the number of a version']);
  });

  it('DELETE globalData removes the global objectives and the shared data of a registration', async () => {
    const client = await withCourse();
    const id = await client.register('course');
    await fixture.database.execute(
      sql`UPDATE registrations SET global_objectives = '{"shared": {"satisfied": true}}',
                 shared_data = '{"notes": "by ada"}'
          WHERE registration_id = ${id}`,
    );
    const stored = async () =>
      fixture.database.one(
        z.object({ objectives: z.unknown(), data: z.unknown() }),
        sql`SELECT global_objectives AS objectives, shared_data AS data FROM registrations
            WHERE registration_id = ${id}`,
      );
    const stranger = await fixture.client();
    expect((await stranger.delete(`registrations/${id}/globalData`)).status).toBe(404);
    const reset = { objectives: {}, data: {} };
    expect(await stored()).not.toEqual(reset);
    expect((await client.delete(`registrations/${id}/globalData`)).status).toBe(204);
    expect(await stored()).toEqual(reset);
  });

  it('launchLink returns a link, and 400 for an invalid expiry or redirect URL', async () => {
    const client = await withCourse();
    const id = await client.register('course');
    const link = (body: object, of = id) =>
      client.sendJson<{ launchLink: string }>('POST', `registrations/${of}/launchLink`, body);
    const good = { expiry: 120, redirectOnExitUrl: 'https://shop.example/thanks?a=b#c' };
    for (const body of [good, { redirectOnExitUrl: 'message' }, { redirectOnExitUrl: '' }, {}]) {
      const { status, body: answer } = await link(body);
      expect(status).toBe(200);
      expect(answer.launchLink).toMatch(
        new RegExp(`^http://[0-9a-f-]{36}.localhost:${new URL(fixture.url).port}/launch/[\\w.-]+$`),
      );
    }
    for (const body of [
      { expiry: 0 },
      { expiry: 1.5 },
      { expiry: 8 * 86_400 },
      { expiry: '120' },
      { redirectOnExitUrl: '/thanks' },
      { redirectOnExitUrl: 'javascript:alert(1)' },
      { redirectOnExitUrl: 'data:text/html,x' },
      { redirectOnExitUrl: `https://shop.example/${'x'.repeat(2048)}` },
      { tracking: 'no' },
    ]) {
      expect(await link(body)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/^(expiry|redirectOnExitUrl|tracking): /) },
      });
    }
    expect((await link(good, 'unknown')).status).toBe(404);
  });
});
