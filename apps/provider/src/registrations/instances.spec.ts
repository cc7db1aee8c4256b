import { sql } from '@registrar/persistence';
import { fetchAtLocalhost } from '@registrar/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LaunchesFixture, startLaunchesFixture } from '../launches/launches.fixture.ts';
import type { Client } from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.ts';
import { maxInstances } from './edit-instances.ts';

interface InstanceList {
  readonly registrations: readonly { readonly instance: number; readonly updated: string }[];
}

describe('the instances of a registration', () => {
  let fixture: LaunchesFixture;
  let client: Client;
  let id: string;

  beforeAll(async () => {
    fixture = await startLaunchesFixture();
    ({ client } = fixture);
  });
  afterAll(() => fixture?.stop());
  beforeEach(async () => {
    id = await fixture.register();
  });

  const at = <Body>(path: string, query = {}) =>
    client.get<Body>(`registrations/${id}/${path}`, query);
  const begin = (owner = client) =>
    owner.send<{ message: string }>(`registrations/${id}/instances`, { method: 'POST' });
  const remove = (instance: number, owner = client) =>
    owner.delete(`registrations/${id}/instances/${instance}`);
  const list = async () => (await at<InstanceList>('instances')).body.registrations;
  /** Reports that the learner is somewhere in the first part. */
  const report = async (location: string, score: string) => {
    const window = await fixture.open(id);
    const sitting = await window.begin('first');
    const core = { lesson_location: location, score: { raw: score } };
    const position = { activityId: 'first', sitting, sequence: 1 };
    expect((await window.report(position, core as never)).status).toBe(200);
    return window;
  };
  const details = { includeChildResults: 'true', includeRuntime: 'true' };
  const resultOf = (location: string, score: number) => ({
    score: { scaled: score },
    totalSecondsTracked: 1,
    activityDetails: { children: [{ runtime: { location } }, {}] },
  });

  it('a new instance of a registration has no result, and that of the one before can still be read', async () => {
    await report('page 3', '40');
    expect((await begin()).status).toBe(204);
    const { body: current } = await client.get(`registrations/${id}`, details);
    expect(current).toMatchObject({
      instance: 1,
      registrationCompletion: 'UNKNOWN',
      totalSecondsTracked: 0,
      activityDetails: { attempts: 0 },
    });
    expect(current).not.toHaveProperty('score');
    expect((await at('instances/1', details)).body).toEqual(current);
    const { body: former } = await at('instances/0', details);
    expect(former).toMatchObject({ id, instance: 0, ...resultOf('page 3', 40) });
    expect((await at('instances', details)).body).toEqual({ registrations: [current, former] });
    await report('page 1', '80');
    expect((await at('instances/1', details)).body).toMatchObject(resultOf('page 1', 80));
    expect((await at('instances/0', details)).body).toEqual(former);
    const { body } = await client.get<InstanceList>('registrations', { filter: id });
    expect(body.registrations.map(({ instance }) => instance)).toEqual([1]);
  });

  it('a new instance is of the newest version of the course, and former ones keep theirs', async () => {
    const course = `course of ${id}`;
    await client.import(course, await smallestPackage('First'));
    id = await client.register(course);
    await client.import(course, await smallestPackage('Second'), { mayCreateNewVersion: 'true' });
    await begin();
    expect(await list()).toMatchObject([
      { instance: 1, course: { version: 1 } },
      { instance: 0, course: { version: 0 } },
    ]);
    const window = await fixture.open(id);
    expect((await window.course()).outline).toMatchObject([{ title: 'Page' }]);
    // The registration remains with a version that no instance of it has any more.
    expect((await client.delete(`courses/${course}/versions/0`)).status).toBe(204);
    expect(await list()).toMatchObject([{ instance: 1 }]);
  });

  it.each([
    ['a new instance', () => begin()],
    ['a result without progress', () => client.delete(`registrations/${id}/progress`)],
  ])('%s is of the version before, if the newest one is being deleted', async (_, change) => {
    const course = `course of ${id}`;
    await client.import(course, await smallestPackage('First'));
    id = await client.register(course);
    await client.import(course, await smallestPackage('Second'), { mayCreateNewVersion: 'true' });
    const deletion = sql`DELETE FROM course_versions WHERE version = 1 AND course IN (
                           SELECT c.id FROM courses AS c WHERE c.course_id = ${course} FOR UPDATE)`;
    expect((await fixture.provider.sendDuring(deletion, change)).status).toBe(204);
    expect((await list())[0]).toMatchObject({ course: { version: 0 } });
  });

  it('a new instance ends the windows and the links of a registration', async () => {
    const window = await report('page 3', '40');
    const link = await fixture.launchLink(id);
    await begin();
    expect((await window.get('course')).status).toBe(410);
    expect((await fetchAtLocalhost(link)).status).toBe(410);
    const late = await window.report({ activityId: 'first', sitting: 1, sequence: 2 }, {});
    expect(late.status).toBe(410);
    expect((await list())[0]).toMatchObject({ instance: 1, totalSecondsTracked: 0 });
  });

  it('an instance has its own launch history', async () => {
    await report('page 3', '40');
    await begin();
    await report('page 1', '80');
    await report('page 2', '90');
    for (const [path, instance, count] of [
      ['launchHistory', 1, 2],
      ['instances/1/launchHistory', 1, 2],
      ['instances/0/launchHistory', 0, 1],
    ] as const) {
      const { launchHistory } = (await at<{ launchHistory: object[] }>(path)).body;
      expect(launchHistory).toEqual(
        Array.from({ length: count }, () => expect.objectContaining({ instance })),
      );
    }
  });

  it('a new instance keeps what is global to the learner, and no other shared data', async () => {
    const { database } = fixture.provider;
    const global = await fixture.register();
    for (const [registration, isShared] of [
      [id, false],
      [global, true],
    ] as const) {
      const state = { current: null, suspended: null, activities: {}, window: 0 };
      const sequencing = { ...state, sharesObjectives: isShared, sharesData: isShared };
      await database.execute(
        sql`UPDATE registrations SET sequencing = ${sequencing},
              global_objectives = '{"goal": {"success_status": "passed"}}',
              shared_data = '{"notes": "x"}'
            WHERE registration_id = ${registration}`,
      );
      await client.send(`registrations/${registration}/instances`, { method: 'POST' });
    }
    expect((await client.get(`registrations/${id}`)).body).toMatchObject({
      globalObjectives: [],
      sharedData: [],
    });
    expect((await client.get(`registrations/${global}`)).body).toMatchObject({
      globalObjectives: [{ id: 'goal', objectiveSuccess: 'PASSED' }],
      sharedData: [{ id: 'notes', value: 'x' }],
    });
  });

  it('DELETE of the current instance makes the one before current, with its result', async () => {
    await report('page 3', '40');
    const { body: first } = await at<InstanceList['registrations'][0]>('instances/0', details);
    await begin();
    await report('page 1', '80');
    expect((await remove(1)).status).toBe(204);
    expect((await at('instances/1')).status).toBe(404);
    const restored = {
      ...first,
      updated: expect.any(String),
      hasOpenLaunch: false,
    };
    expect((await at('instances', details)).body).toEqual({ registrations: [restored] });
    const { body } = await at<{ launchHistory: object[] }>('launchHistory');
    expect(body.launchHistory).toMatchObject([{ instance: 0 }]);
    await report('page 4', '60');
    expect((await client.get(`registrations/${id}`, details)).body).toMatchObject({
      activityDetails: { children: [{ runtime: { location: 'page 4' } }, {}] },
    });
    await begin();
    expect((await list()).map(({ instance }) => instance)).toEqual([1, 0]);
  });

  it('DELETE of a former instance leaves the others, and of the last one deletes the registration', async () => {
    await begin();
    await begin();
    expect((await remove(1)).status).toBe(204);
    expect((await list()).map(({ instance }) => instance)).toEqual([2, 0]);
    expect((await remove(1)).status).toBe(404);
    expect((await remove(2)).status).toBe(204);
    expect((await list()).map(({ instance }) => instance)).toEqual([0]);
    expect((await remove(0)).status).toBe(204);
    expect((await client.get(`registrations/${id}`)).status).toBe(404);
  });

  it('settings of an instance are those of its registration', async () => {
    await begin();
    const settings = [{ settingId: 'PlayerShowCourseStructure', value: 'false' }];
    const configuration = (instance: number) =>
      `registrations/${id}/instances/${instance}/configuration`;
    const post = (instance: number) =>
      client.sendJson<{ message: string }>('POST', configuration(instance), { settings });
    expect((await post(0)).status).toBe(204);
    expect((await client.get(configuration(1))).body).toEqual((await at('configuration')).body);
    expect(await post(2)).toMatchObject({
      status: 404,
      body: { message: 'Could not find instance 2 of the registration' },
    });
    expect((await client.get(configuration(2))).status).toBe(404);
  });

  it('a registration has 100 instances at most', async () => {
    await fixture.provider.database.execute(
      sql`INSERT INTO former_instances (registration, instance, course_version, completion, success,
                                        total_seconds, global_objectives, shared_data, updated_at)
          SELECT r.id, n, r.course_version, 'UNKNOWN', 'UNKNOWN', 0, '{}', '{}', now()
          FROM registrations AS r, generate_series(1, ${maxInstances - 1}) AS n
          WHERE r.registration_id = ${id}`,
    );
    await fixture.provider.database.execute(
      sql`UPDATE registrations SET instance = ${maxInstances} WHERE registration_id = ${id}`,
    );
    expect(await begin()).toMatchObject({
      status: 400,
      body: { message: 'A registration has 100 instances at most.' },
    });
    expect(await list()).toHaveLength(maxInstances);
  });

  it('concurrent requests begin one instance each', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => begin()));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect((await list()).map(({ instance }) => instance)).toEqual([4, 3, 2, 1, 0]);
  });

  it('other applications can neither begin nor delete instances', async () => {
    const stranger = await fixture.provider.client();
    expect((await begin(stranger)).status).toBe(404);
    expect((await remove(0, stranger)).status).toBe(404);
    expect((await list()).map(({ instance }) => instance)).toEqual([0]);
  });
});
