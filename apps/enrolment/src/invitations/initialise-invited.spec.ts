import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { launchRegistration, recrawlRegistrations } from '#libs/contracts';
import { runOperation } from '#libs/platform';
import { InitialiseRegistrations } from '../registrations/initialise-registrations.ts';
import { SettleRegistrations } from '../registrations/settle-registrations.ts';
import { WaitingRegistrations } from '../registrations/waiting-registrations.ts';
import {
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from './invitations.fixture.ts';

describe('registrations of an invitation, at the provider', () => {
  let invitations: InvitationsFixture;

  beforeAll(async () => {
    invitations = await startInvitationsFixture();
  });
  afterEach(async () => {
    invitations.provider.intercept = () => undefined;
    invitations.account(1).registrationLimit = Infinity;
    // What a test leaves waiting is no concern of the next one.
    await invitations.database.query(
      `UPDATE registrations SET active = false WHERE provider_state = 'waiting'`,
    );
  });
  afterAll(() => invitations.stop());

  /** Adds learners to an invitation of one course; their registrations are to be initialised. */
  const invite = async (learners: string[], parts: { nodelay?: boolean } = {}) => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const given = { skipExternalInitialization: false, ...parts };
    const answer = await invitations.add(invitation, learners, given);
    return { ...answer, guids: answer.record.registration_guids };
  };
  const some = (count: number) => Array.from({ length: count }, newLearner);
  const held = (guids: string[]) =>
    guids.filter((guid) => invitations.account(1).registrations.has(guid));
  const creates = () =>
    invitations.provider.requests.filter(
      ({ method, path }) => method === 'POST' && path === 'registrations',
    ).length;
  /** What a replica's background does: all that is due. */
  const background = async (replica = invitations.app) => {
    const initialise = replica.get(InitialiseRegistrations);
    while ((await initialise.run()) > 0);
  };
  /** A replica that has not met the provider's faults yet, and lets the back-off pass. */
  const later = async () => {
    await invitations.database.query(
      `UPDATE registrations SET initialise_after = now() WHERE provider_state = 'waiting'`,
    );
    await background(await invitations.addReplica());
  };
  const recordOf = async (registrationGuid: string | undefined) =>
    (await invitations.index({ registrationGuid: registrationGuid ?? '' }))[0];
  const announced = async (guids: string[]) =>
    (await invitations.published('enrolment.registration-created')).filter((event) =>
      guids.includes(String(event['registrationGuid'])),
    );

  it('are shown at once, and made in the background, each once', async () => {
    const learners = some(45);
    const { guids, messages } = await invite(learners);
    expect(messages).toEqual([]);
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

  it('are made before the answer with nodelay', async () => {
    const { guids, messages } = await invite(some(30), { nodelay: true });
    expect(messages).toEqual([]);
    expect(held(guids)).toEqual(guids);
    expect(await announced(guids)).toHaveLength(30);
  });

  it('are left to the background with nodelay when the deadline comes first', async () => {
    let open = 3;
    const { promise: never, resolve: release } = Promise.withResolvers<undefined>();
    invitations.provider.intercept = () => (open-- > 0 ? undefined : never);
    const operation = { requestId: 'r', deadline: Date.now() + 2_000 };
    const { guids, messages } = await runOperation(operation, () =>
      invite(some(20), { nodelay: true }),
    );
    release(undefined);
    invitations.provider.intercept = () => undefined;
    expect(guids).toHaveLength(20);
    expect(messages).toEqual([expect.stringMatching(/^17 registrations are not ready/)]);
    await later();
    expect(held(guids)).toEqual(guids);
    expect(await announced(guids)).toHaveLength(20);
  });

  it('are made by a repeated call with nodelay, as far as they still wait', async () => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const [learner] = some(1) as [string];
    const parts = { skipExternalInitialization: false };
    await invitations.add(invitation, [learner], parts);
    const { record } = await invitations.add(invitation, [learner], { ...parts, nodelay: true });
    expect(held(record.registration_guids)).toHaveLength(1);
  });

  it('are never made when that is to be skipped, nor launched, nor taken for lost', async () => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const [learner] = some(1) as [string];
    const { record } = await invitations.add(invitation, [learner], { nodelay: true });
    const [guid = ''] = record.registration_guids;
    await background();
    expect(held([guid])).toEqual([]);
    expect(await announced([guid])).toEqual([]);
    const asked = { scope: invitations.scope, lastOnly: false };
    const filters = { registrationGuid: guid };
    let crawled = 0;
    invitations.crawler.crawl = async () => {
      crawled += 1;
      throw new Error('asked for');
    };
    await invitations.bus.request(recrawlRegistrations, { ...asked, filters, which: 'all' });
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

  it('are made when they are launched', async () => {
    const { guids } = await invite(some(1));
    const { launch_url } = await launch(guids[0] ?? '');
    expect(launch_url).toContain(guids[0]);
    expect(held(guids)).toEqual(guids);
    const before = creates();
    await later();
    expect(creates()).toBe(before);
  });

  it('are not launched while the provider refuses them', async () => {
    const { guids } = await invite(some(1));
    invitations.account(1).registrationLimit = 0;
    await expect(launch(guids[0] ?? '')).rejects.toMatchObject({ code: 'invalid' });
    expect(await recordOf(guids[0])).toMatchObject({ launched_at: null, provider_errcode: '400' });
  });

  it('give no link to a learner who is removed meanwhile', async () => {
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

  it('show what the provider said, are tried again later, and then forget it', async () => {
    const { guids, messages } = await (async () => {
      invitations.account(1).registrationLimit = 0;
      return invite(some(2), { nodelay: true });
    })();
    const said = 'The maximum number of registrations has been reached.';
    expect(messages).toEqual([expect.stringContaining(said)]);
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

  it('leave a provider alone that is away, and lose nothing by it', async () => {
    const { guids } = await invite(some(40));
    invitations.provider.intercept = () => ({ status: 500, body: { message: 'away' } });
    const before = creates();
    const replica = await invitations.addReplica();
    // No pause ends while this looks on, however slow the machine is.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    await background(replica);
    const asked = creates() - before;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(40);
    await background(replica);
    expect(creates() - before).toBe(asked);
    clock.mockRestore();
    invitations.provider.intercept = () => undefined;
    await later();
    await later();
    expect(held(guids)).toEqual(guids);
  });

  it('are asked for before they are made again, when an answer is lost or a process dies', async () => {
    const { guids } = await invite(some(2));
    const [lost = '', died = ''] = guids;
    // The provider takes it, and its answer never comes.
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

  it('take nothing from an attempt that comes to its end after another one has begun', async () => {
    const { guids } = await invite(some(1));
    const [{ id } = { id: 0 }] = await invitations.database.query<{ id: number }>(
      'SELECT id FROM registrations WHERE registration_guid = ANY($1)',
      [guids],
    );
    const waiting = invitations.app.get(WaitingRegistrations);
    const begin = async () => (await waiting.claim([id]))[0]?.attempts;
    expect([await begin(), await begin()]).toEqual([1, 2]);
    const late = { id, attempt: 1, attempts: 0, delay: 0, code: 'late', message: 'too late' };
    await waiting.postpone([late]);
    expect(await begin()).toBe(3);
    expect(await recordOf(guids[0])).toMatchObject({ provider_errcode: null });
  });

  it('stay as they are when unfinished creates are settled', async () => {
    const { guids } = await invite(some(1));
    await invitations.app.get(SettleRegistrations).run();
    expect(await recordOf(guids[0])).toBeDefined();
  });

  it('are not made for learners who were removed before, until they come back', async () => {
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

  it('are the answer of a create that wants no duplicate', async () => {
    const [learner] = some(1) as [string];
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const parts = { skipExternalInitialization: false };
    const { record } = await invitations.add(invitation, [learner], parts);
    await invitations.database.query(
      `UPDATE registrations SET course_guid = 'swimming' WHERE registration_guid = $1`,
      [record.registration_guids[0]],
    );
    const created = await invitations.create(learner, { dontDuplicate: true });
    expect(created.registration_guid).toBe(record.registration_guids[0]);
  });
});
