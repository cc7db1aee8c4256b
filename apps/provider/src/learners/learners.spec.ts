import { sql } from '@registrar/persistence';
import { eventually, fetchAtLocalhost } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type LaunchesFixture, startLaunchesFixture } from '../launches/launches.fixture.ts';
import type { Client } from '../provider.fixture.ts';
import { PruneLearnerTags } from './prune-learner-tags.ts';

interface RegistrationList {
  readonly registrations: readonly { readonly id: string; readonly learner: object }[];
}

describe('learners of the API', () => {
  let fixture: LaunchesFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startLaunchesFixture();
    ({ client } = fixture);
  });
  afterAll(() => fixture?.stop());

  const registrationsOf = async (learnerId: string) => {
    const { body } = await client.get<RegistrationList>('registrations', { learnerId });
    return body.registrations;
  };
  const update = (learnerId: string, body: object, owner = client) =>
    owner.sendJson<{ message: string }>('POST', `learner/${learnerId}/updateInfo`, body);
  const erase = (learnerId: string, owner = client) =>
    owner.send(`learner/${learnerId}/delete-information?userEmail=ada@example.com`, {
      method: 'POST',
    });
  /** Resolves when no erasure of a learner is pending. */
  const erased = () =>
    eventually('learners have been erased', async () => {
      const pending = await fixture.provider.database.execute(sql`SELECT FROM learner_erasures`);
      return pending === 0;
    });
  /** Copies a registration. */
  const copy = (registration: string, copies: number, learnerId: string) =>
    fixture.provider.database.execute(
      sql`INSERT INTO registrations (application_id, registration_id, course, course_version,
                                     learner_id, email, first_name, last_name)
          SELECT application_id, registration_id || ' ' || n, course, course_version,
                 ${learnerId}, ${`${learnerId}@example.com`}, ${learnerId}, ''
          FROM registrations, generate_series(1, ${copies}::integer) AS n
          WHERE registration_id = ${registration}`,
    );
  /** The rows of all tables in which a learner may be named. */
  const rowsWith = async (text: string) => {
    const stored = await fixture.provider.database.many(
      z.object({ row: z.string() }),
      sql`SELECT r::text AS row FROM registrations AS r UNION ALL SELECT l::text FROM launches AS l
          UNION ALL SELECT s::text FROM sco_states AS s
          UNION ALL SELECT f::text FROM former_instances AS f
          UNION ALL SELECT s::text FROM former_sco_states AS s
          UNION ALL SELECT c::text FROM registration_configurations AS c
          UNION ALL SELECT e::text FROM learner_erasures AS e
          UNION ALL SELECT t::text FROM tagged_learners AS t
          UNION ALL SELECT o::text FROM outbox AS o`,
    );
    return stored.filter(({ row }) => row.includes(text));
  };
  const audited = () =>
    fixture.provider.database.many(
      z.object({ payload: z.looseObject({ action: z.string() }) }),
      sql`SELECT payload FROM outbox WHERE name = 'provider.audited' ORDER BY id`,
    );

  it('learners of the API get other names and addresses in all of their registrations', async () => {
    for (const learner of ['grace', 'grace', 'mary']) await client.register('two-parts', learner);
    expect((await update('grace', { firstName: 'Grace', email: 'g@example.com' })).status).toBe(
      204,
    );
    const changed = {
      id: 'grace',
      email: 'g@example.com',
      firstName: 'Grace',
      lastName: 'Lovelace',
    };
    expect((await registrationsOf('grace')).map(({ learner }) => learner)).toEqual([
      changed,
      changed,
    ]);
    expect((await registrationsOf('mary'))[0]?.learner).toMatchObject({ firstName: 'Ada' });
    expect((await update('grace', { id: 'grace', lastName: '' })).status).toBe(204);
    expect((await audited()).at(-1)?.payload).toMatchObject({
      action: 'learner.changed-at-provider',
      appId: client.appId,
      subject: { app_id: client.appId, registrations: 2 },
    });
    expect(JSON.stringify(await audited())).not.toContain('grace');
  });

  it('changes of learners are refused for another id, without a value, and for unknown learners', async () => {
    await client.register('two-parts', 'ida');
    expect(await update('ida', { id: 'other', firstName: 'Ida' })).toMatchObject({
      status: 400,
      body: { message: 'id: the id of a learner cannot be changed' },
    });
    expect((await update('ida', {})).status).toBe(400);
    expect(await update('ida', { phone: '1' })).toMatchObject({
      status: 400,
      body: { message: 'phone: is not supported' },
    });
    expect(await update('nobody', { firstName: 'No' })).toMatchObject({
      status: 404,
      body: { message: 'Could not find registrations of learner [nobody]' },
    });
    const stranger = await fixture.provider.client();
    expect((await update('ida', { firstName: 'Eve' }, stranger)).status).toBe(404);
    expect((await erase('ida', stranger)).status).toBe(404);
    expect((await registrationsOf('ida'))[0]?.learner).toMatchObject({ firstName: 'Ada' });
  });

  it('the erasure of a learner leaves results without a name, and what the content stored is gone', async () => {
    const registration = await client.register('two-parts', 'margaret');
    const other = await client.register('two-parts', 'rosalind');
    const tags = ['margaret’s group'];
    await client.sendJson('PUT', `registrations/${registration}/tags`, { tags });
    await client.sendJson('PUT', 'learner/margaret/tags', { tags });
    const core = { lesson_status: 'passed', lesson_location: 'margaret@example.com' };
    const reported = async () => {
      const window = await fixture.open(registration, {
        redirectOnExitUrl: 'https://a.example/margaret',
        culture: 'de',
        startSco: 'first',
      });
      const sitting = await window.begin('first');
      await window.report({ activityId: 'first', sitting, sequence: 1 }, core);
      return window;
    };
    await reported();
    const instances = `registrations/${registration}/instances`;
    expect((await client.send(instances, { method: 'POST' })).status).toBe(204);
    const window = await reported();
    const link = await fixture.launchLink(registration);
    // What the content of a sequenced course shares.
    const data = { notes: 'by margaret' };
    await fixture.provider.database.execute(sql`UPDATE registrations SET shared_data = ${data}
                                                WHERE registration_id = ${registration}`);
    await fixture.provider.database.execute(sql`UPDATE former_instances SET shared_data = ${data}`);
    expect(await rowsWith('margaret')).toHaveLength(7);
    expect((await erase('margaret')).status).toBe(204);
    await erased();
    const details = { includeChildResults: 'true', includeRuntime: 'true' };
    for (const instance of [0, 1]) {
      expect((await client.get(`${instances}/${instance}`, details)).body).toMatchObject({
        learner: { id: expect.stringMatching(/^erased-/), firstName: '', lastName: '' },
        activityDetails: { children: [{ activityCompletion: 'COMPLETED' }, {}] },
      });
    }
    expect(await rowsWith('margaret')).toEqual([]);
    const kept = await fixture.provider.database.execute(
      sql`SELECT FROM launches WHERE num_nonnulls(start_activity, culture) > 0`,
    );
    expect(kept).toBe(0);
    expect((await window.get('course')).status).toBe(410);
    expect((await fetchAtLocalhost(link)).status).toBe(410);
    expect(await registrationsOf('margaret')).toEqual([]);
    expect((await registrationsOf('rosalind')).map(({ id }) => id)).toEqual([other]);
    expect((await erase('margaret')).status).toBe(404);
    expect((await audited()).at(-1)?.payload).toMatchObject({
      action: 'learner.erased-at-provider',
      subject: { registrations: 1 },
    });
  });

  it('the erasure of a learner with many registrations takes several transactions, and is logged once', async () => {
    await copy(await client.register('two-parts', 'dorothy'), 249, 'dorothy');
    const before = (await audited()).length;
    expect((await erase('dorothy')).status).toBe(204);
    await erased();
    expect(await rowsWith('dorothy')).toEqual([]);
    const [act, ...others] = (await audited()).slice(before);
    expect(act?.payload).toMatchObject({ subject: { registrations: 250 } });
    expect(others).toEqual([]);
  });

  it('an erasure can be requested again while it is pending, and keeps later registrations of the learner', async () => {
    await client.register('two-parts', 'emmy');
    const { database } = fixture.provider;
    // No step begins while its registration is locked.
    await database.transaction(async () => {
      await database.execute(sql`SELECT FROM registrations WHERE learner_id = 'emmy' FOR UPDATE`);
      await database.outsideTransaction(async () => {
        expect((await erase('emmy')).status).toBe(204);
        expect((await erase('emmy')).status).toBe(204);
        await client.register('two-parts', 'emmy');
      });
    });
    await erased();
    expect(await registrationsOf('emmy')).toHaveLength(1);
  });

  const tagsOf = async (learnerId: string, owner = client) => {
    const { status, body } = await owner.get<{ tags?: string[] }>(`learner/${learnerId}/tags`);
    return status === 200 ? body.tags : status;
  };

  it('tags of a learner are added, removed and listed, whatever registrations the learner has', async () => {
    await client.register('two-parts', 'frances');
    const send = (method: 'PUT' | 'DELETE', tags: string[], owner = client) =>
      owner.sendJson<{ message: string }>(method, 'learner/frances/tags', { tags });
    expect(await tagsOf('frances')).toEqual([]);
    expect((await send('DELETE', ['radio'])).status).toBe(204);
    expect((await send('PUT', ['radio', 'film', 'radio'])).status).toBe(204);
    await client.register('two-parts', 'frances');
    expect((await send('PUT', ['film', 'stage'])).status).toBe(204);
    expect(await tagsOf('frances')).toEqual(['radio', 'film', 'stage']);
    expect((await send('DELETE', ['film'])).status).toBe(204);
    expect(await tagsOf('frances')).toEqual(['radio', 'stage']);
    const many = Array.from({ length: 99 }, (_, n) => `tag ${n}`);
    expect(await send('PUT', many)).toMatchObject({
      status: 400,
      body: { message: 'tags: more than 100' },
    });
    const stranger = await fixture.provider.client();
    expect([await tagsOf('frances', stranger), await tagsOf('nobody')]).toEqual([404, 404]);
    expect((await send('PUT', ['theirs'], stranger)).status).toBe(404);
    expect(await tagsOf('frances')).toEqual(['radio', 'stage']);
  });

  it('tags are added to several learners, or to none', async () => {
    for (const learner of ['anna', 'otto']) await client.register('two-parts', learner);
    const add = (ids: string[], tags: string[], owner = client) =>
      owner.sendJson<{ message: string }>('PUT', 'learner/tags', { ids, tags });
    expect((await add(['otto'], ['physics'])).status).toBe(204);
    expect((await add(['otto', 'anna', 'otto'], ['berlin', 'physics'])).status).toBe(204);
    const both = [
      ['berlin', 'physics'],
      ['physics', 'berlin'],
    ];
    expect([await tagsOf('anna'), await tagsOf('otto')]).toEqual(both);
    expect(await add(['anna', 'nobody'], ['vienna'])).toMatchObject({
      status: 404,
      body: { message: 'Could not find registrations of learner [nobody]' },
    });
    expect((await add(['anna'], ['vienna'], await fixture.provider.client())).status).toBe(404);
    expect([await tagsOf('anna'), await tagsOf('otto')]).toEqual(both);
  });

  it('an erased learner loses the tags at once, and a learner without registrations with the next prune', async () => {
    const kept = await client.register('two-parts', 'maria');
    const deleted = await client.register('two-parts', 'marie');
    await client.sendJson('PUT', 'learner/tags', { ids: ['maria', 'marie'], tags: ['chemistry'] });
    expect((await client.delete(`registrations/${deleted}`)).status).toBe(204);
    expect(await tagsOf('marie')).toBe(404);
    await fixture.provider.app.get(PruneLearnerTags).prune();
    expect(await rowsWith('marie')).toEqual([]);
    expect(await tagsOf('maria')).toEqual(['chemistry']);
    expect((await erase('maria')).status).toBe(204);
    expect(await rowsWith('chemistry')).toEqual([]);
    await erased();
    expect((await client.get(`registrations/${kept}`)).status).toBe(200);
  });

  it('a change of a learner with many registrations is logged for each transaction', async () => {
    await copy(await client.register('two-parts', 'barbara'), 599, 'barbara');
    const before = (await audited()).length;
    expect((await update('barbara', { lastName: 'M' })).status).toBe(204);
    const sizes = (await audited()).slice(before).map(({ payload }) => payload['subject']);
    const appId = client.appId;
    expect(sizes).toEqual([
      { app_id: appId, registrations: 500 },
      { app_id: appId, registrations: 100 },
    ]);
    const other = { lastName: 'M' };
    const { registrations } = (
      await client.get<RegistrationList>('registrations', {
        learnerId: 'barbara',
      })
    ).body;
    expect(registrations.every(({ learner }) => 'lastName' in learner)).toBe(true);
    expect((await update('barbara', other)).status).toBe(204);
    expect((await audited()).length).toBe(before + 2);
  });

  it('two changes of a learner with many registrations both end', async () => {
    await copy(await client.register('two-parts', 'olive'), 1_499, 'olive');
    const changes = ['K', 'L'].map((lastName) => update('olive', { lastName }));
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([204, 204]);
  });
});
