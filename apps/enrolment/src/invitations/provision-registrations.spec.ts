import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { launchRegistration, recrawlRegistrations } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { runInRequestContext } from '@registrar/platform';
import * as z from 'zod';
import { InitialiseRegistrations } from '../registrations/initialise-registrations.ts';
import { ReconcilePendingRegistrations } from '../registrations/reconcile-pending-registrations.ts';
import { InitialisationQueue } from '../registrations/initialisation-queue.ts';
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
    const initialise = replica.get(InitialiseRegistrations);
    while ((await initialise.initialiseDue()) > 0);
  };
  /** Makes all queued registrations due, and runs the job of a new replica, which has no pauses. */
  const later = async () => {
    await invitations.database.execute(
      sql`UPDATE registrations SET initialise_after = now() WHERE provider_state = 'waiting'`,
    );
    await background(await invitations.addReplica());
  };
  const recordOf = async (registrationGuid: string | undefined) =>
    (await invitations.index({ registrationGuid: registrationGuid ?? '' }))[0];
  const announced = async (guids: string[]) =>
    (await invitations.published('enrolment.registration-created')).filter((event) =>
      guids.includes(String(event['registrationGuid'])),
    );

  it('are not created while the realm is disabled, and once it is enabled', async () => {
    const { guids } = await invite(some(3));
    await invitations.switchRealm(false);
    await background();
    const during = await invite(some(1), { nodelay: true });
    expect(held([...guids, ...during.guids])).toEqual([]);
    await invitations.switchRealm(true);
    await later();
    expect(held([...guids, ...during.guids])).toHaveLength(4);
  });

  it('are visible at once, and each is created once in the background', async () => {
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

  it('exist at the provider before the reply with nodelay', async () => {
    const { guids, messages } = await invite(some(30), { nodelay: true });
    expect(problemsIn(messages)).toEqual([]);
    expect(held(guids)).toEqual(guids);
    expect(await announced(guids)).toHaveLength(30);
  });

  it('stay queued with nodelay when the deadline passes first', async () => {
    let open = 3;
    const { promise: never, resolve: release } = Promise.withResolvers<undefined>();
    invitations.provider.intercept = () => (open-- > 0 ? undefined : never);
    const context = { requestId: 'r', deadline: Date.now() + 2_000 };
    const { guids, messages } = await runInRequestContext(context, () =>
      invite(some(20), { nodelay: true }),
    );
    release(undefined);
    invitations.provider.intercept = () => undefined;
    expect(guids).toHaveLength(20);
    expect(problemsIn(messages)).toEqual([
      expect.stringMatching(/^17 registrations are not ready/),
    ]);
    await later();
    expect(held(guids)).toEqual(guids);
    expect(await announced(guids)).toHaveLength(20);
  });

  it('are created by a repeated request with nodelay if they are still queued', async () => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const [learner] = some(1) as [string];
    const parts = { skipExternalInitialization: false };
    await invitations.add(invitation, [learner], parts);
    const { record } = await invitations.add(invitation, [learner], { ...parts, nodelay: true });
    expect(held(record.registration_guids)).toHaveLength(1);
  });

  it('are never created, launched or crawled with skip_external_initialization', async () => {
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

  it('are created at the provider by a launch', async () => {
    const { guids } = await invite(some(1));
    const { launch_url } = await launch(guids[0] ?? '');
    expect(launch_url).toContain(guids[0]);
    expect(held(guids)).toEqual(guids);
    const before = creates();
    await later();
    expect(creates()).toBe(before);
  });

  it('cannot be launched while the provider rejects them', async () => {
    const { guids } = await invite(some(1));
    invitations.account(1).registrationLimit = 0;
    await expect(launch(guids[0] ?? '')).rejects.toMatchObject({ code: 'invalid' });
    expect(await recordOf(guids[0])).toMatchObject({ launched_at: null, provider_errcode: '400' });
  });

  it('give no launch link to a learner who is removed concurrently', async () => {
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

  it('show the error of the provider until a later attempt succeeds', async () => {
    const { guids, messages } = await (async () => {
      invitations.account(1).registrationLimit = 0;
      return invite(some(2), { nodelay: true });
    })();
    const said = 'The maximum number of registrations has been reached.';
    expect(problemsIn(messages)).toEqual([expect.stringContaining(said)]);
    expect(await recordOf(guids[0])).toMatchObject({
      provider_errcode: '400',
      provider_error_message: said,
    });
    invitations.account(1).registrationLimit = Infinity;
    await background();
    expect(held(guids)).toEqual([]);
    await later();
    expect(held(guids)).toEqual(guids);
    expect(await recordOf(guids[0])).toMatchObject({
      provider_errcode: null,
      provider_error_message: null,
    });
  });

  it('stay queued without further calls while the provider is unavailable', async () => {
    const { guids } = await invite(some(40));
    invitations.provider.intercept = () => ({ status: 500, body: { message: 'unavailable' } });
    const before = creates();
    const replica = await invitations.addReplica();
    // With the clock stopped, no pause ends on a slow machine.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
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

  it('are not created twice after a lost response or the death of a process', async () => {
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

  it('ignore the outcome of an attempt that ends after a newer one has started', async () => {
    const { guids } = await invite(some(1));
    const registration = {
      applicationId: 1,
      ...(await invitations.database.one(
        z.object({ id: z.number() }),
        sql`SELECT id FROM registrations WHERE registration_guid = ANY(${guids})`,
      )),
    };
    const queue = invitations.app.get(InitialisationQueue);
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

  it('are unchanged by the reconciliation of pending creates', async () => {
    const { guids } = await invite(some(1));
    await invitations.app.get(ReconcilePendingRegistrations).reconcileDue();
    expect(await recordOf(guids[0])).toBeDefined();
  });

  it('are not created for removed learners until they are added again', async () => {
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

  it('are returned by a create with dont_duplicate', async () => {
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
