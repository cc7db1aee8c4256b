import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessScope,
  type courseChanged,
  type CrawlOutcome,
  deleteRegistration,
  type Failure,
  launchRegistration,
} from '@registrar/contracts';
import { type PayloadOf } from '@registrar/bus';
import { runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import { scopeOf } from '../enrolment.fixture.ts';
import {
  freeSeats,
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from '../invitations/invitations.fixture.ts';
import { ApplyCrawl } from './apply-crawl.ts';
import { DeleteCourseRegistrations } from './delete-registration.ts';
import { InitializeRegistrations } from './initialize-registrations.ts';

let enrolment: InvitationsFixture;

beforeAll(async () => {
  enrolment = await startInvitationsFixture();
});
afterEach(() => {
  enrolment.provider.intercept = () => undefined;
});
afterAll(() => enrolment.stop());

const remove = (registrationGuid: string, scope: AccessScope = scopeOf()) =>
  enrolment.bus.request(deleteRegistration, { scope, registrationGuid });
const register = async (learnerId = newLearner()) => enrolment.create(learnerId);
const recordOf = async (registrationGuid: string) =>
  (await enrolment.index({ registrationGuid }, { includeInactive: true }))[0];
const isHeld = (guid: string) => enrolment.account(1).registrations.has(guid);
const failDeletes = (fault: 'drop' | { status: number; body: object }) => {
  enrolment.provider.intercept = ({ method }) => (method === 'DELETE' ? fault : undefined);
};
/** Adds learners to a new invitation; their registrations wait for the background job. */
const invite = async (learners: string[]) => {
  const invitation = await enrolment.createLicense(learners.length);
  const { record } = await enrolment.add(invitation, learners, {
    skipExternalInitialization: false,
  });
  return record;
};
const initialize = async () => {
  const job = enrolment.app.get(InitializeRegistrations);
  while ((await job.initializeDue()) > 0);
};
const failure = (code: Failure['code']) => expect.objectContaining({ code });

describe('registration delete', () => {
  it('deletes the registration at the provider and marks it as deleted', async () => {
    const { registration_guid: guid, learner_id: learnerId } = await register();
    expect(await remove(guid)).toMatchObject({ registration_guid: guid, deleted: 1 });
    expect(isHeld(guid)).toBe(false);
    expect(await recordOf(guid)).toMatchObject({ deleted: 1, active: true });
    expect(await enrolment.published('enrolment.audited')).toContainEqual(
      expect.objectContaining({
        action: 'registration.deleted',
        subject: { registration_guid: guid },
      }),
    );
    expect(await enrolment.index({ learnerId }, { lastOnly: true })).toEqual([]);
    const again = await enrolment.create(learnerId, { dontDuplicate: true });
    expect(again.registration_guid).not.toBe(guid);
  });

  it('fails with not-found for the second of two requests', async () => {
    const { registration_guid: guid } = await register();
    await remove(guid);
    await expect(remove(guid)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('deletes once when two requests arrive together', async () => {
    const { registration_guid: guid } = await register();
    const outcomes = await Promise.allSettled([remove(guid), remove(guid)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(remove(guid)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('returns the first response to a repetition under the same idempotency key', async () => {
    const { registration_guid: guid } = await register();
    const context = { requestId: 'r', deadline: null, idempotencyKey: randomUUID() };
    const first = await runInRequestContext(context, () => remove(guid));
    expect(await runInRequestContext(context, () => remove(guid))).toEqual(first);
  });

  it.each([
    ['cannot be reached', 'drop', 'unavailable'],
    ['rejects the credentials', { status: 401, body: { message: 'no' } }, 'unavailable'],
    ['refuses', { status: 400, body: { message: 'no' } }, 'unavailable'],
  ] as const)('changes nothing when the provider %s', async (_, fault, code) => {
    const { registration_guid: guid } = await register();
    const before = await recordOf(guid);
    failDeletes(fault);
    await expect(remove(guid)).rejects.toMatchObject({ code });
    expect(isHeld(guid)).toBe(true);
    expect(await recordOf(guid)).toEqual(before);
  });

  it('registration delete is completed by a repetition after the provider’s response was lost', async () => {
    const { registration_guid: guid } = await register();
    enrolment.provider.intercept = ({ method }) => {
      if (method !== 'DELETE') return undefined;
      return isHeld(guid) ? 'lose' : 'drop';
    };
    await expect(remove(guid)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await recordOf(guid)).toMatchObject({ deleted: null });
    enrolment.provider.intercept = () => undefined;
    expect(await remove(guid)).toMatchObject({ deleted: 1 });
  });

  it('registration delete is not undone by the result of a crawl, whenever it was requested', async () => {
    const { registration_guid: guid } = await register();
    await remove(guid);
    const result = { ...crawledResult, registrationGuid: guid };
    const digest = 'd'.repeat(32);
    const outcomes: CrawlOutcome[] = [
      { outcome: 'crawled', registrationGuid: guid, result, digest },
    ];
    for (const sequence of [1, 1_000_000]) {
      const crawledAt = '2100-01-01T00:00:00Z';
      const crawl = {
        applicationId: 1,
        sequence,
        crawledAt,
        crawlType: 'course',
        outcomes,
      } as const;
      await enrolment.app.get(ApplyCrawl).apply(crawl);
    }
    expect(await recordOf(guid)).toMatchObject({ deleted: 1 });
  });

  it('returns not-found to launches from then on', async () => {
    const { registration_guid: registrationGuid } = await register();
    await remove(registrationGuid);
    const launch = enrolment.bus.request(launchRegistration, {
      scope: scopeOf(),
      registrationGuid,
      review: false,
      redirectUrl: null,
    });
    await expect(launch).rejects.toEqual(failure('not-found'));
    expect(await recordOf(registrationGuid)).toMatchObject({ launched_at: null });
  });

  it('gives the launch that it overtakes no link', async () => {
    const { registration_guid: registrationGuid } = await register();
    enrolment.provider.intercept = async ({ path }) => {
      if (!path.endsWith('launchLink')) return undefined;
      enrolment.provider.intercept = () => undefined;
      await remove(registrationGuid);
      return { status: 200, body: { launchLink: 'https://player.invalid/late' } };
    };
    const launch = enrolment.bus.request(launchRegistration, {
      scope: scopeOf(),
      registrationGuid,
      review: false,
      redirectUrl: null,
    });
    await expect(launch).rejects.toEqual(failure('not-found'));
  });

  it('deletes an inactive registration', async () => {
    const learner = newLearner();
    const invitation = await invite([learner]);
    await initialize();
    const [guid = ''] = invitation.registration_guids;
    await enrolment.add(invitation, [], { unlearners: [learner] });
    expect(await remove(guid)).toMatchObject({ deleted: 1 });
    expect(isHeld(guid)).toBe(false);
  });

  it('keeps the learner and the seat of a license, and another registration uses that seat', async () => {
    const learner = newLearner();
    const invitation = await invite([learner]);
    await initialize();
    await remove(invitation.registration_guids[0] ?? '');
    const [after] = await enrolment.list({ id: invitation.id });
    expect(after).toMatchObject({ learners: [learner], registration_guids: [] });
    expect(after && freeSeats(after)).toEqual({ sailing: 0 });
    const { record } = await enrolment.add(invitation, [learner]);
    expect(record.registration_guids).toHaveLength(1);
    const removed = await enrolment.add(invitation, [], { unlearners: [learner] });
    expect(freeSeats(removed.record)).toEqual({ sailing: 1 });
  });

  it('keeps a registration that waits for its creation from being created', async () => {
    const { registration_guids: guids } = await invite([newLearner(), newLearner()]);
    const [deleted = '', other = ''] = guids;
    expect(await remove(deleted)).toMatchObject({ deleted: 1 });
    await initialize();
    expect([isHeld(deleted), isHeld(other)]).toEqual([false, true]);
  });

  it('deletes a registration at the provider that is created there meanwhile', async () => {
    const { registration_guids: guids } = await invite([newLearner()]);
    const [guid = ''] = guids;
    enrolment.provider.intercept = async ({ method, path }) => {
      if (method !== 'POST' || path !== 'registrations') return undefined;
      enrolment.provider.intercept = () => undefined;
      await remove(guid);
      return undefined;
    };
    await initialize();
    expect(await recordOf(guid)).toMatchObject({ deleted: 1 });
    expect(isHeld(guid)).toBe(false);
    const created = await enrolment.published('enrolment.registration-created');
    expect(created.map(({ registrationGuid }) => registrationGuid)).not.toContain(guid);
  });

  it('fails and changes nothing when the registration is created at the provider after its delete there', async () => {
    const { registration_guids: guids } = await invite([newLearner()]);
    const [guid = ''] = guids;
    enrolment.provider.intercept = async ({ method }) => {
      if (method !== 'DELETE') return undefined;
      enrolment.provider.intercept = () => undefined;
      await initialize();
      return { status: 404, body: { message: 'no such registration' } };
    };
    await expect(remove(guid)).rejects.toMatchObject({ code: 'unavailable' });
    expect([isHeld(guid), (await recordOf(guid))?.deleted]).toEqual([true, null]);
    expect(await remove(guid)).toMatchObject({ deleted: 1 });
    expect(isHeld(guid)).toBe(false);
  });

  it('calls no provider for a registration that is never created there', async () => {
    const invitation = await enrolment.createInvitation({ courseGuids: ['sailing'] });
    const { record } = await enrolment.add(invitation, [newLearner()]);
    failDeletes('drop');
    expect(await remove(record.registration_guids[0] ?? '')).toMatchObject({ deleted: 1 });
  });

  it.each([
    ['a user-bound key', scopeOf({ email: 'ada@example.org' }), 'unauthenticated'],
    ['access to one application', scopeOf({ applicationIds: [1] }), 'unauthenticated'],
    [
      'another realm',
      { ...scopeOf({ applicationIds: [3] }), realmId: 2, wholeRealm: true },
      'not-found',
    ],
  ] as const)('registration delete is refused for %s', async (_, scope, code) => {
    const { registration_guid: guid } = await register();
    await expect(remove(guid, scope)).rejects.toEqual(failure(code));
    expect(isHeld(guid)).toBe(true);
  });

  it('fails with not-found for a GUID that is unknown, or in use in several applications', async () => {
    const guid = randomUUID();
    await expect(remove(guid)).rejects.toEqual(failure('not-found'));
    for (const applicationId of [1, 2]) {
      await enrolment.insert(applicationId, 'swimming', newLearner(), guid);
    }
    await expect(remove(guid)).rejects.toEqual(failure('not-found'));
  });
});

describe('the registrations of a deleted course', () => {
  const change = (parts: Partial<PayloadOf<typeof courseChanged>>) =>
    enrolment.app.get(DeleteCourseRegistrations).deleteAll({
      courseId: 101,
      applicationId: 1,
      courseGuid: 'rowing',
      title: 'Rowing',
      version: 2,
      deleted: true,
      keywords: [],
      ...parts,
    });
  const deletedOf = async (...guids: string[]) =>
    Promise.all(guids.map(async (guid) => (await recordOf(guid))?.deleted));

  it('the registrations of a deleted course are deleted, unless they belong to another course or were created later', async () => {
    const [own, inactive, other, elsewhere] = Array.from({ length: 4 }, () => randomUUID());
    await enrolment.insert(1, 'rowing', newLearner(), own!);
    await enrolment.insert(1, 'rowing', newLearner(), inactive!, { active: false });
    await enrolment.insert(1, 'surfing', newLearner(), other!);
    await enrolment.insert(2, 'rowing', newLearner(), elsewhere!);
    const invitation = await enrolment.createInvitation({ courseGuids: ['rowing'] });
    const { record } = await enrolment.add(invitation, [newLearner()], {
      skipExternalInitialization: false,
    });
    const [waiting = ''] = record.registration_guids;
    const registrationsDeletedAt = new Date(Date.now() + 60_000).toISOString();
    const later = randomUUID();
    await enrolment.insert(1, 'rowing', newLearner(), later, { created_at: '2100-01-01' });

    await change({ registrationsDeletedAt });
    expect(await deletedOf(own!, inactive!, waiting)).toEqual([1, 1, 1]);
    expect(await deletedOf(other!, elsewhere!, later)).toEqual([null, null, null]);
    await initialize();
    expect(isHeld(waiting)).toBe(false);
  });

  it('the registrations of a deleted course stay when a sweep no longer finds the course', async () => {
    const guid = randomUUID();
    await enrolment.insert(1, 'rowing', newLearner(), guid);
    await change({});
    expect(await deletedOf(guid)).toEqual([null]);
  });
});

const crawledResult = {
  courseGuid: 'swimming',
  courseTitle: 'Swimming',
  courseVersion: 0,
  instance: 0,
  learner: { id: 'ada', email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace' },
  completion: 'complete' as const,
  success: 'unknown' as const,
  score: null,
  totalSeconds: 0,
  attempts: 1,
  createdAt: null,
  updatedAt: null,
  completedAt: null,
  accessedAt: null,
  activity: null,
};
