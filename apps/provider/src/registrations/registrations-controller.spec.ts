import { samplePackage } from '#libs/sample-courses';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.fixture.ts';

interface RegistrationList {
  registrations: { id: string; createdDate: string; updated: string }[];
  more?: string;
}

describe('registrations', () => {
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
      ...{ courseId: 'course', registrationId: randomUUID(), learner, ...parts },
    });

  it('begin with nothing known', async () => {
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

  it('show the items of their course where that is asked for', async () => {
    const client = await fixture.client();
    await client.import('fire', await samplePackage('fire-safety'));
    const id = await client.register('fire');
    const asked = { includeChildResults: 'true', includeRuntime: 'true' };
    const children = [{ id: 'prevention' }, { id: 'evacuation' }];
    expect((await client.get(`registrations/${id}`, asked)).body).toMatchObject({
      ...{ activityDetails: { children } },
    });
    expect(await list(client, asked)).toMatchObject({
      ...{ registrations: [{ activityDetails: { children } }] },
    });
  });

  it('are refused with the reason', async () => {
    const client = await withCourse();
    const registrationId = await client.register('course');
    const refused = async (parts: object) => {
      const { status, body } = await create(client, parts);
      expect(status).toBe(400);
      return body.message;
    };
    expect(await refused({ registrationId })).toBe(
      `A registration has the id '${registrationId}' already.`,
    );
    expect(await refused({ courseId: 'unknown' })).toBe("No course has the id 'unknown'.");
    expect(await refused({ courseId: undefined })).toBe('courseId: is missing');
    expect(await refused({ registrationId: 'a\nb' })).toContain('registrationId: ');
    expect(await refused({ registrationId: 'x'.repeat(256) })).toContain('registrationId: ');
    expect(await refused({ learner: undefined })).toContain('learner: ');
    expect(await refused({ learner: { ...learner, id: '' } })).toContain('learner.id: ');
    expect(await refused({ learner: { ...learner, firstName: '\0' } })).toContain('character');
    expect(await idsOf(client)).toEqual([registrationId]);
  });

  it('are no more than the application may have, also when creates race', async () => {
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

  it('are created once when equal creates race', async () => {
    const client = await withCourse();
    const registrationId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => create(client, { registrationId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
  });

  it('are for the newest version of their course, and stay with it', async () => {
    const client = await withCourse();
    const old = await client.register('course');
    await client.import('course', await smallestPackage('Second'), { mayCreateNewVersion: 'true' });
    const young = await client.register('course');
    const versionOf = async (id: string) =>
      (await client.get<{ course: object }>(`registrations/${id}`)).body.course;
    expect(await versionOf(old)).toMatchObject({ version: 0 });
    expect(await versionOf(young)).toMatchObject({ version: 1 });
  });

  it('are listed by course and learner', async () => {
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

  it('are listed by the time of their creation or change, both ends included', async () => {
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

  it('come page by page, each once, whatever is created or changed meanwhile', async () => {
    const client = await withCourse();
    const template = await client.register('course');
    await fixture.database.query(
      `INSERT INTO registrations (application_id, registration_id, course, course_version,
                                  learner_id, first_name, last_name, created_at, updated_at)
       SELECT application_id, 'copy ' || n, course, course_version, learner_id, '', '',
              created_at - n / 7 * interval '1 ms', created_at - n / 7 * interval '1 ms'
       FROM registrations, generate_series(1, 1199) n WHERE registration_id = $1`,
      [template],
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
    const summaries = await all({ learnerId: 'learner@example.com' });
    expect(summaries.sizes).toEqual([500, 500, 200]);
    expect(new Set(summaries.found).size).toBe(1200);
    const full = await all({ includeChildResults: 'true', includeRuntime: 'true' });
    expect(full.sizes[0]).toBe(100);
    expect(new Set(full.found).size).toBe(1202);
    expect((await client.get('registrations', { more: 'x' })).status).toBe(400);
  });

  it('exist or do not', async () => {
    const client = await withCourse();
    const id = await client.register('course');
    const head = (name: string) => client.send(`registrations/${name}`, { method: 'HEAD' });
    expect((await head(id)).status).toBe(200);
    expect((await head('unknown')).status).toBe(404);
  });

  it('go, or begin anew', async () => {
    const client = await withCourse();
    const id = await client.register('course');
    expect((await client.delete(`registrations/${id}/progress`)).status).toBe(204);
    expect((await client.get(`registrations/${id}`)).status).toBe(200);
    expect((await client.delete(`registrations/${id}`)).status).toBe(204);
    for (const path of ['', '/instances', '/launchHistory']) {
      expect(await client.get(`registrations/${id}${path}`)).toMatchObject({
        status: 404,
        body: { message: `No registration has the id '${id}'.` },
      });
    }
    expect((await client.delete(`registrations/${id}`)).status).toBe(404);
    expect((await client.delete(`registrations/${id}/progress`)).status).toBe(404);
  });

  it('are launched by links, for good addresses and times alone', async () => {
    const client = await withCourse();
    const id = await client.register('course');
    const link = (body: object, of = id) =>
      client.sendJson<{ launchLink: string }>('POST', `registrations/${of}/launchLink`, body);
    const good = { expiry: 120, redirectOnExitUrl: 'https://shop.example/thanks?a=b#c' };
    for (const body of [good, { redirectOnExitUrl: 'message' }, { tracking: false }, {}]) {
      const { status, body: answer } = await link(body);
      expect(status).toBe(200);
      expect(answer.launchLink).toMatch(new RegExp(`^${fixture.url}/launch/[\\w.-]+$`));
    }
    for (const body of [
      { expiry: 0 },
      { expiry: 1.5 },
      { expiry: 8 * 86_400 },
      { expiry: '120' },
      { redirectOnExitUrl: '' },
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

  it('belong to their application alone', async () => {
    const [mine, theirs] = [await withCourse(), await withCourse()];
    const id = await mine.register('course');
    expect(await idsOf(theirs)).toEqual([]);
    expect(await idsOf(theirs, { courseId: 'course' })).toEqual([]);
    for (const path of [id, `${id}/instances`, `${id}/launchHistory`]) {
      expect((await theirs.get(`registrations/${path}`)).status).toBe(404);
    }
    expect((await theirs.send(`registrations/${id}`, { method: 'HEAD' })).status).toBe(404);
    expect((await theirs.sendJson('POST', `registrations/${id}/launchLink`, {})).status).toBe(404);
    expect((await theirs.delete(`registrations/${id}/progress`)).status).toBe(404);
    expect((await theirs.delete(`registrations/${id}`)).status).toBe(404);
    // Ids are an application's own: the same one can stand for something of each.
    expect((await create(theirs, { registrationId: id })).status).toBe(204);
    expect((await theirs.delete(`registrations/${id}`)).status).toBe(204);
    expect(await idsOf(mine)).toEqual([id]);
    expect((await create(theirs, { courseId: 'course 2' })).status).toBe(400);
  });
});
