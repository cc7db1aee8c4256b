import { previewLearners } from '@registrar/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { testScope } from '@registrar/testing';
import { email } from '../enrolment.fixture.ts';
import {
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from './invitations.fixture.ts';

let enrolment: InvitationsFixture;
beforeAll(async () => {
  enrolment = await startInvitationsFixture();
});
afterAll(() => enrolment.stop());

const preview = (invitationId: number, learners: readonly string[], scope = enrolment.scope) =>
  enrolment.bus.request(previewLearners, {
    scope,
    invitationId,
    learners: learners.map(email),
  });

it('says who would join, who is a member, and who would get no seat', async () => {
  const license = await enrolment.createLicense(2);
  const [member, first, second] = [newLearner(), newLearner(), newLearner()];
  await enrolment.add(license, [member]);
  const { learners, seats } = await preview(license.id, [member, first, second]);
  const nothing = {
    created: 0,
    assigned: 0,
    without_seat: [],
    without_seat_count: 0,
    deleted_courses: [],
    deleted_courses_count: 0,
  };
  const sailing = { course_guid: 'sailing', title: 'Title of sailing' };
  expect(learners).toEqual([
    { ...nothing, learner_id: member, member: true },
    { ...nothing, learner_id: first, member: false, created: 1 },
    {
      ...nothing,
      learner_id: second,
      member: false,
      without_seat: [sailing],
      without_seat_count: 1,
    },
  ]);
  expect(seats).toEqual([{ ...sailing, free: 1, change: -1 }]);
});

it('says what add_learners then does', async () => {
  const license = await enrolment.createLicense(1);
  const added = [newLearner(), newLearner()];
  const { learners } = await preview(license.id, added);
  await enrolment.add(license, added);
  for (const { learner_id, created } of learners) {
    expect(await enrolment.registrationsOf(learner_id)).toHaveLength(created);
  }
});

it('changes nothing, and waits for no change in progress', async () => {
  const license = await enrolment.createLicense(1, { avoidDuplicateRegistrations: true });
  const learner = newLearner();
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const change = enrolment.database.transaction(async () => {
    await enrolment.database.execute(
      sql`SELECT FROM invitations WHERE id = ${license.id} FOR UPDATE`,
    );
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  await preview(license.id, [learner]);
  released.resolve();
  await change;
  const [listed] = await enrolment.list({ id: license.id });
  expect(listed).toEqual(license);
  expect(await enrolment.registrationsOf(learner)).toEqual([]);
});

it('counts a learner who is named twice once', async () => {
  const { id } = await enrolment.createInvitation();
  const learner = newLearner();
  const { learners } = await preview(id, [learner, learner.toUpperCase()]);
  expect(learners).toEqual([expect.objectContaining({ learner_id: learner, created: 3 })]);
});

it.each([
  ['disabled', { enabled: false }],
  ['no-updates', { noUpdatesAllowed: true }],
] as const)('says that an invitation is closed: %s', async (closed, parts) => {
  const { id } = await enrolment.createInvitation(parts);
  const { name: _, ...reply } = await preview(id, [newLearner()]);
  expect(reply).toEqual({ closed, learners: [], seats: [] });
});

it('finds no invitation of another realm', async () => {
  const { id } = await enrolment.createInvitation();
  const scope = testScope({ realmId: 2, applicationIds: [3], wholeRealm: true });
  await expect(preview(id, [newLearner()], scope)).rejects.toMatchObject({ code: 'not-found' });
});

it('needs the permission to write', async () => {
  const { id } = await enrolment.createInvitation();
  const scope = { ...enrolment.scope, permissions: ['read' as const] };
  await expect(preview(id, [newLearner()], scope)).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});
