import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchRegistration, recrawlRegistrations } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { stepTime } from '@registrar/persistence/testing';
import { clock, runInRequestContext } from '@registrar/platform';
import * as z from 'zod';
import {
  concurrency,
  InitializeRegistrations,
  providerShare,
} from '../registrations/initialize-registrations.ts';
import { RetryUnauthorizedRegistrations } from '../registrations/retry-unauthorized-registrations.ts';
import { ReconcilePendingRegistrations } from '../registrations/reconcile-pending-registrations.ts';
import { InitializationQueue } from '../registrations/initialization-queue.ts';
import {
  type InvitationsFixture,
  newLearner,
  problemsIn,
  startInvitationsFixture,
} from './invitations.fixture.ts';

describe('registrations of an invitation', () => {
  let invitations: InvitationsFixture;

  beforeAll(async () => {
    invitations = await startInvitationsFixture();
  });
  afterEach(async () => {
    invitations.provider.intercept = () => undefined;
    invitations.account(1).registrationLimit = Infinity;
    // Registrations that a test leaves queued do not affect the next one.
    await invitations.database.execute(
      sql`UPDATE registrations SET active = false WHERE provider_state = 'waiting'`,
    );
  });
  afterAll(() => invitations.stop());

  /** Adds learners to a new invitation of one course, without skip_external_initialization. */
  const invite = async (learners: string[], parts: { nodelay?: boolean } = {}) => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const options = { skipExternalInitialization: false, ...parts };
    const reply = await invitations.add(invitation, learners, options);
    return { ...reply, guids: reply.record.registration_guids };
  };
  const some = (count: number) => Array.from({ length: count }, newLearner);
  const held = (guids: string[]) =>
    guids.filter((guid) => invitations.account(1).registrations.has(guid));
  const creates = () =>
    invitations.provider.requests.filter(
      ({ method, path }) => method === 'POST' && path === 'registrations',
    ).length;
  /** Runs the background job of a replica until nothing is due. */
  const background = async (replica = invitations.app) => {
    const initialize = replica.get(InitializeRegistrations);
    while ((await initialize.initializeDue()) > 0);
  };
  /** Makes all queued registrations due, and runs the job of a new replica, which has no pauses. */
  const later = async () => {
    await invitations.database.execute(
      sql`UPDATE registrations SET initialize_after = now() WHERE provider_state = 'waiting'`,
    );
    await background(await invitations.addReplica());
  };
  const recordOf = async (registrationGuid: string | undefined) =>
    (await invitations.index({ registrationGuid: registrationGuid ?? '' }))[0];
  const announced = async (guids: string[]) =>
    (await invitations.published('enrolment.registration-created')).filter((event) =>
      guids.includes(String(event['registrationGuid'])),
    );

  it('registrations of an invitation are not created while the realm is disabled, and once it is enabled', async () => {
    const { guids } = await invite(some(3));
    await invitations.switchRealm(false);
    await background();
    const during = await invite(some(1), { nodelay: true });
    expect(held([...guids, ...during.guids])).toEqual([]);
    await invitations.switchRealm(true);
    await later();
    expect(held([...guids, ...during.guids])).toHaveLength(4);
  });

  it('registrations of an invitation are visible at once, and each is created once in the background', async () => {
    const learners = some(45);
    const { guids, messages } = await invite(learners);
    expect(problemsIn(messages)).toEqual([]);
    expect(await recordOf(guids[0])).toMatchObject({
      learner_id: learners[0],
      complete: 'unknown',
    });
    expect(held(guids)).toEqual([]);
    expect(await announced(guids)).toEqual([]);
    const before = creates();
    await Promise.all([background(), background(await invitations.addReplica())]);
    expect(held(guids)).toEqual(guids);
    expect(creates()).toBe(before + 45);
    expect(invitations.account(1).registrations.get(guids[0] ?? '')).toMatchObject({
      course: { id: 'sailing' },
      learner: { id: learners[0], email: learners[0] },
    });
    expect(await announced(guids)).toHaveLength(45);
    expect(await recordOf(guids[0])).toMatchObject({ registration_guid: guids[0] });
  });

  it('registrations of an invitation exist at the provider before the reply with nodelay', async () => {
    const { guids, messages } = await invite(some(30), { nodelay: true });
    expect(problemsIn(messages)).toEqual([]);
    expect(held(guids)).toEqual(guids);
    expect(await announced(guids)).toHaveLength(30);
  });

  it('registrations of an invitation stay queued with nodelay when the deadline passes first', async () => {
    let calls = 0;
    const waiting = Promise.withResolvers<undefined>();
    const answers = Promise.withResolvers<undefined>();
    invitations.provider.intercept = () => {
      calls += 1;
      if (calls === 3 + concurrency) waiting.resolve(undefined);
      return calls <= 3 ? undefined : answers.promise;
    };
    const context = { requestId: 'r', deadline: clock.now() + 60_000 };
    const invited = runInRequestContext(context, () => invite(some(20), { nodelay: true }));
    await waiting.promise;
    await stepTime(providerShare * 60, invitations.database);
    const { guids, messages, registrationGuids } = await invited;
    answers.resolve(undefined);
    invitations.provider.intercept = () => undefined;
    expect(guids).toHaveLength(20);
    expect(problemsIn(messages)).toEqual([
      expect.stringMatching(/^Not at the course provider yet .*: .*, .* and 7 more\./),
    ]);
    const named = Object.values(registrationGuids).filter((of) => 'sailing' in of);
    expect(named).toHaveLength(3);
    await later();
    expect(held(guids)).toEqual(guids);
    expect(await announced(guids)).toHaveLength(20);
  });

  it('registrations of an invitation are created by a repeated request with nodelay if they are still queued', async () => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const [learner] = some(1) as [string];
    const parts = { skipExternalInitialization: false };
    await invitations.add(invitation, [learner], parts);
    const { record } = await invitations.add(invitation, [learner], { ...parts, nodelay: true });
    expect(held(record.registration_guids)).toHaveLength(1);
  });

  it('registrations of an invitation are never created, launched or crawled with skip_external_initialization', async () => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const [learner] = some(1) as [string];
    const { record } = await invitations.add(invitation, [learner], { nodelay: true });
    const [guid = ''] = record.registration_guids;
    await background();
    expect(held([guid])).toEqual([]);
    expect(await announced([guid])).toEqual([]);
    const selection = { scope: invitations.scope, lastOnly: false };
    const filters = { registrationGuid: guid };
    let crawled = 0;
    invitations.crawler.crawl = async () => {
      crawled += 1;
      throw new Error('crawled');
    };
    await invitations.bus.request(recrawlRegistrations, { ...selection, filters, which: 'all' });
    expect(crawled).toBe(0);
    await expect(launch(guid)).rejects.toMatchObject({ code: 'not-found' });
    expect(await recordOf(guid)).toMatchObject({ launched_at: null, deleted: null });
  });

  const launch = (registrationGuid: string) =>
    invitations.bus.request(launchRegistration, {
      scope: invitations.scope,
      registrationGuid,
      review: false,
      redirectUrl: null,
    });

  it('registrations of an invitation are created at the provider by a launch', async () => {
    const { guids } = await invite(some(1));
    const { launch_url } = await launch(guids[0] ?? '');
    expect(launch_url).toContain(guids[0]);
    expect(held(guids)).toEqual(guids);
    const before = creates();
    await later();
    expect(creates()).toBe(before);
  });

  it('registrations of an invitation cannot be launched while the provider rejects them', async () => {
    const { guids } = await invite(some(1));
    invitations.account(1).registrationLimit = 0;
    await expect(launch(guids[0] ?? '')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await recordOf(guids[0])).toMatchObject({ launched_at: null, provider_errcode: '400' });
  });

  it('registrations of an invitation give no launch link to a learner who is removed concurrently', async () => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const [learner] = some(1) as [string];
    const parts = { skipExternalInitialization: false, nodelay: true };
    const { record } = await invitations.add(invitation, [learner], parts);
    invitations.provider.intercept = async ({ path }) => {
      if (!path.endsWith('launchLink')) return undefined;
      await invitations.add(invitation, [], { unlearners: [learner] });
      return undefined;
    };
    const late = launch(record.registration_guids[0] ?? '');
    await expect(late).rejects.toMatchObject({ code: 'not-found' });
  });

  it('registrations of an invitation are named by nodelay once the provider has accepted them, and show its last error', async () => {
    const { guids, messages, registrationGuids } = await (async () => {
      invitations.account(1).registrationLimit = 0;
      return invite(some(2), { nodelay: true });
    })();
    const said = 'The maximum number of registrations has been reached.';
    expect(problemsIn(messages)).toEqual([expect.stringContaining(said)]);
    expect(Object.values(registrationGuids)).toEqual([{}, {}]);
    const error = { provider_errcode: '400', provider_error_message: said };
    expect(await recordOf(guids[0])).toMatchObject(error);
    invitations.account(1).registrationLimit = Infinity;
    await background();
    expect(held(guids)).toEqual([]);
    await later();
    expect(held(guids)).toEqual(guids);
    expect(await recordOf(guids[0])).toMatchObject(error);
  });

  /** In how many seconds each registration is attempted again. */
  const delaysOf = async (guids: string[]) => {
    const rows = await invitations.database.many(
      z.object({ seconds: z.number() }),
      sql`SELECT extract(epoch FROM initialize_after - now())::float8 AS seconds FROM registrations
          WHERE registration_guid = ANY(${guids})`,
    );
    return rows.map(({ seconds }) => seconds);
  };

  it('registrations of an invitation are attempted again within minutes of a refusal, but no more than one a second', async () => {
    invitations.account(1).registrationLimit = 0;
    const few = await invite(some(2), { nodelay: true });
    for (const seconds of await delaysOf(few.guids)) {
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(15);
    }
    await invitations.database.execute(
      sql`INSERT INTO registrations (
            realm_id, provider_application_id, registration_guid, course_guid, learner_id,
            provider_state, initialize_after, provider_errcode
          )
          SELECT 1, 1, gen_random_uuid(), 'sailing', 'ada@example.org', 'waiting',
                 'infinity', '400'
          FROM generate_series(1, 1000)`,
    );
    const [seconds = 0] = await delaysOf((await invite(some(1), { nodelay: true })).guids);
    expect(seconds).toBeGreaterThan(900);
  });

  it('registrations of an invitation are attempted again at once when another one that was refused is created', async () => {
    invitations.account(1).registrationLimit = 0;
    const { guids } = await invite(some(3), { nodelay: true });
    const [first = ''] = guids;
    await invitations.database.execute(
      sql`UPDATE registrations
          SET initialize_after = CASE registration_guid
                WHEN ${first} THEN now() ELSE now() + interval '5 minutes' END,
              updated_at = now() - interval '5 minutes'
          WHERE registration_guid = ANY(${guids})`,
    );
    invitations.account(1).registrationLimit = Infinity;
    await background();
    expect(held(guids)).toEqual(guids);
  });

  it('registrations of an invitation are attempted again at once when the credentials of their application may have changed', async () => {
    invitations.provider.intercept = () => ({ status: 401, body: { message: 'Who are you?' } });
    const { guids } = await invite(some(2));
    await background();
    expect(await recordOf(guids[0])).toMatchObject({ provider_errcode: '401' });
    await invitations.database.execute(
      sql`UPDATE registrations SET initialize_after = now() + interval '5 minutes'
          WHERE registration_guid = ANY(${guids})`,
    );
    invitations.provider.intercept = () => undefined;
    await background();
    expect(held(guids)).toEqual([]);
    await invitations.app.get(RetryUnauthorizedRegistrations).retry({ realmId: 2 });
    await background();
    expect(held(guids)).toEqual([]);
    await invitations.app.get(RetryUnauthorizedRegistrations).retry({ realmId: 1 });
    await background();
    expect(held(guids)).toEqual(guids);
  });

  it('registrations of an invitation stay queued without further calls while the provider is unavailable', async () => {
    const { guids } = await invite(some(40));
    invitations.provider.intercept = () => ({ status: 500, body: { message: 'unavailable' } });
    const before = creates();
    const replica = await invitations.addReplica();
    // With the clock stopped, no pause ends on a slow machine.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    await background(replica);
    const attempts = creates() - before;
    expect(attempts).toBeGreaterThan(0);
    expect(attempts).toBeLessThan(40);
    await background(replica);
    expect(creates() - before).toBe(attempts);
    clock.mockRestore();
    invitations.provider.intercept = () => undefined;
    await later();
    await later();
    expect(held(guids)).toEqual(guids);
  });

  it('registrations of an invitation are not created twice after a lost response or the death of a process', async () => {
    const { guids } = await invite(some(2));
    const [lost = '', died = ''] = guids;
    // The provider creates it, and the response is lost.
    invitations.provider.intercept = ({ method, path }) => {
      if (method !== 'POST' || path !== 'registrations') return undefined;
      invitations.account(1).addRegistration(lost, 'sailing');
      return 'drop';
    };
    await background();
    invitations.provider.intercept = () => undefined;
    invitations.account(1).addRegistration(died, 'sailing');
    const before = creates();
    await later();
    expect(creates()).toBe(before);
    expect(await announced(guids)).toHaveLength(2);
  });

  it('registrations of an invitation ignore the outcome of an attempt that ends after a newer one has started', async () => {
    const { guids } = await invite(some(1));
    const registration = {
      applicationId: 1,
      ...(await invitations.database.one(
        z.object({ id: z.number() }),
        sql`SELECT id FROM registrations WHERE registration_guid = ANY(${guids})`,
      )),
    };
    const queue = invitations.app.get(InitializationQueue);
    const startAttempt = async () => (await queue.claim([registration]))[0]?.attempts;
    expect([await startAttempt(), await startAttempt()]).toEqual([1, 2]);
    const late = {
      ...registration,
      attempt: 1,
      attempts: 0,
      delaySeconds: 0,
      code: 'late',
      message: 'too late',
    };
    await queue.postpone([late]);
    expect(await startAttempt()).toBe(3);
    expect(await recordOf(guids[0])).toMatchObject({ provider_errcode: null });
  });

  it('registrations of an invitation are unchanged by the reconciliation of pending creates', async () => {
    const { guids } = await invite(some(1));
    await invitations.app.get(ReconcilePendingRegistrations).reconcileDue();
    expect(await recordOf(guids[0])).toBeDefined();
  });

  it('registrations of an invitation are not created for removed learners until they are added again', async () => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const [learner] = some(1) as [string];
    const parts = { skipExternalInitialization: false };
    const { record } = await invitations.add(invitation, [learner], parts);
    await invitations.add(invitation, [], { ...parts, unlearners: [learner] });
    await later();
    expect(held(record.registration_guids)).toEqual([]);
    await invitations.add(invitation, [learner], parts);
    await later();
    expect(held(record.registration_guids)).toHaveLength(1);
  });

  it('registrations of an invitation are returned by a create with dont_duplicate', async () => {
    const [learner] = some(1) as [string];
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const parts = { skipExternalInitialization: false };
    const { record } = await invitations.add(invitation, [learner], parts);
    await invitations.database.execute(
      sql`UPDATE registrations SET course_guid = 'swimming'
          WHERE registration_guid = ${record.registration_guids[0]}`,
    );
    const created = await invitations.create(learner, { dontDuplicate: true });
    expect(created.registration_guid).toBe(record.registration_guids[0]);
  });
});
