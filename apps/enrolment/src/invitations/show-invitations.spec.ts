import {
  listInvitationCourses,
  listInvitationLearners,
  listInvitationSummaries,
} from '@registrar/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testScope } from '@registrar/testing';
import {
  customOf,
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from './invitations.fixture.ts';

let enrolment: InvitationsFixture;
beforeAll(async () => {
  enrolment = await startInvitationsFixture();
});
afterAll(() => enrolment.stop());

const stranger = testScope({ realmId: 2, applicationIds: [3], wholeRealm: true });

const summaries = (filters: { id?: number; name?: string }, scope = enrolment.scope) =>
  enrolment.bus.page(listInvitationSummaries, { scope, filters }, { cursor: null, limit: 50 });
const learners = (invitationId: number, learnerId: string | null = null, limit = 50) =>
  enrolment.bus.page(
    listInvitationLearners,
    { scope: enrolment.scope, invitationId, learnerId },
    { cursor: null, limit },
  );

describe('the summaries of invitations', () => {
  it('a summary counts learners, courses and seats', async () => {
    const license = await enrolment.createLicense(3);
    await enrolment.add(license, [newLearner(), newLearner()]);
    const { items } = await summaries({ id: license.id });
    expect(items).toEqual([
      expect.objectContaining({
        name: license.name,
        license: true,
        courses: 1,
        learners: 2,
        seats: { free: 1, taken: 2 },
      }),
    ]);
  });

  it('a summary shows no seats of an invitation that is no license', async () => {
    const { name } = await enrolment.createInvitation();
    const { items } = await summaries({ name });
    expect(items).toEqual([expect.objectContaining({ learners: 0, courses: 3, seats: null })]);
  });

  it('the newest invitation is listed first, page by page', async () => {
    const older = await enrolment.createInvitation();
    const newer = await enrolment.createInvitation();
    const input = { scope: enrolment.scope, filters: {} };
    const first = await enrolment.bus.page(listInvitationSummaries, input, {
      cursor: null,
      limit: 1,
    });
    const second = await enrolment.bus.page(listInvitationSummaries, input, {
      cursor: first.next,
      limit: 1,
    });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([newer.id, older.id]);
  });

  it('the list shows no invitation of another realm', async () => {
    const { id } = await enrolment.createInvitation();
    expect(await summaries({ id }, stranger)).toEqual({ items: [], next: null });
  });
});

describe('the courses of an invitation', () => {
  it('each course shows its seats', async () => {
    const license = await enrolment.createInvitation({
      license: true,
      courseGuids: ['sailing', 'rowing', 'surfing'],
      custom: customOf({ sailing: 2, rowing: 5 }),
    });
    await enrolment.add(license, [newLearner()]);
    const { items } = await enrolment.bus.page(
      listInvitationCourses,
      { scope: enrolment.scope, invitationId: license.id },
      { cursor: null, limit: 50 },
    );
    const title = (guid: string) => `Title of ${guid}`;
    expect(items).toEqual([
      {
        course_guid: 'sailing',
        title: title('sailing'),
        deleted: false,
        seats: { free: 1, taken: 1 },
      },
      {
        course_guid: 'rowing',
        title: title('rowing'),
        deleted: false,
        seats: { free: 4, taken: 1 },
      },
      { course_guid: 'surfing', title: title('surfing'), deleted: false, seats: null },
    ]);
  });

  it('the courses are not found for another realm', async () => {
    const { id: invitationId } = await enrolment.createInvitation();
    const request = enrolment.bus.page(
      listInvitationCourses,
      { scope: stranger, invitationId },
      { cursor: null, limit: 50 },
    );
    await expect(request).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('the learners of an invitation', () => {
  it('each learner shows what became of the registrations', async () => {
    const license = await enrolment.createLicense(3);
    const [launched, waiting] = [newLearner(), newLearner()];
    await enrolment.add(license, [launched, waiting]);
    const [registration] = await enrolment.registrationsOf(launched);
    await enrolment.noteLaunch(registration!.registration_guid);
    const { items } = await learners(license.id);
    const state = { course_guid: 'sailing', provider_state: 'local', holds_seat: true };
    expect(items).toEqual([
      {
        learner_id: launched,
        hasMore: false,
        registrations: [
          expect.objectContaining({ ...state, launched_at: expect.any(String), deleted: false }),
        ],
      },
      {
        learner_id: waiting,
        hasMore: false,
        registrations: [expect.objectContaining({ ...state, launched_at: null })],
      },
    ]);
  });

  it('a learner is found by the address without regard to case', async () => {
    const invitation = await enrolment.createInvitation();
    const [learner, another] = [newLearner(), newLearner()];
    await enrolment.add(invitation, [learner, another]);
    const { items } = await learners(invitation.id, learner.toUpperCase());
    expect(items.map(({ learner_id }) => learner_id)).toEqual([learner]);
  });

  it('the learners are listed page by page', async () => {
    const invitation = await enrolment.createInvitation();
    const added = [newLearner(), newLearner(), newLearner()];
    await enrolment.add(invitation, added);
    const first = await learners(invitation.id, null, 2);
    const second = await enrolment.bus.page(
      listInvitationLearners,
      { scope: enrolment.scope, invitationId: invitation.id, learnerId: null },
      { cursor: first.next, limit: 2 },
    );
    expect([...first.items, ...second.items].map(({ learner_id }) => learner_id)).toEqual(added);
    expect(second.next).toBeNull();
  });

  it('the learners are not found for another realm', async () => {
    const { id: invitationId } = await enrolment.createInvitation();
    const request = enrolment.bus.page(
      listInvitationLearners,
      { scope: stranger, invitationId, learnerId: null },
      { cursor: null, limit: 50 },
    );
    await expect(request).rejects.toMatchObject({ code: 'not-found' });
  });
});
