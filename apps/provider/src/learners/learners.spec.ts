import { sql } from '@registrar/persistence';
import { fetchAtLocalhost } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type LaunchesFixture, startLaunchesFixture } from '../launches/launches.fixture.ts';
import type { Client } from '../provider.fixture.ts';

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
    const window = await fixture.open(registration, {
      redirectOnExitUrl: 'https://a.example/margaret',
    });
    const sitting = await window.begin('first');
    const position = { activityId: 'first', sitting, sequence: 1 };
    const core = { lesson_status: 'passed', lesson_location: 'margaret@example.com' };
    await window.report(position, core);
    const link = await fixture.launchLink(registration);
    // What the content of a sequenced course shares.
    await fixture.provider.database.execute(
      sql`UPDATE registrations SET shared_data = ${{ notes: 'by margaret' }}
          WHERE registration_id = ${registration}`,
    );
    expect((await erase('margaret')).status).toBe(204);
    const details = { includeChildResults: 'true', includeRuntime: 'true' };
    const { body } = await client.get(`registrations/${registration}`, details);
    expect(body).toMatchObject({
      learner: { id: expect.stringMatching(/^erased-/), firstName: '', lastName: '' },
      activityDetails: { children: [{ activityCompletion: 'COMPLETED' }, {}] },
    });
    const stored = await fixture.provider.database.many(
      z.object({ row: z.string() }),
      sql`SELECT r::text AS row FROM registrations AS r UNION ALL SELECT l::text FROM launches AS l
          UNION ALL SELECT s::text FROM sco_states AS s
          UNION ALL SELECT o::text FROM outbox AS o`,
    );
    expect(stored.filter(({ row }) => row.includes('margaret'))).toEqual([]);
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
});
