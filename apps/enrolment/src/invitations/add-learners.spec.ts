import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditSubject } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { randomUUID } from 'node:crypto';
import { scopeOf } from '../enrolment.fixture.ts';
import {
  courseGuids,
  freeSeats,
  type InvitationsFixture,
  newLearner,
  problemsIn,
  startInvitationsFixture,
} from './invitations.fixture.ts';

describe('add_learners', () => {
  let invitations: InvitationsFixture;

  beforeAll(async () => {
    invitations = await startInvitationsFixture();
  });
  afterAll(() => invitations.stop());

  it('returns the record and the registrations of each learner, with addresses as given', async () => {
    const invitation = await invitations.createInvitation();
    const learner = `Ann-${randomUUID()}@Example.com`;
    const answer = await invitations.add(invitation, [learner, learner.toLowerCase()]);
    expect(problemsIn(answer.messages)).toEqual([]);
    expect(answer.record).toMatchObject({
      ...invitation,
      updated_at: expect.any(String),
      learners: [learner],
      registration_guids: expect.any(Array),
    });
    const registrations = await invitations.registrationsOf(learner);
    expect(registrations.map((each) => each.course_guid)).toEqual(courseGuids);
    expect(registrations[0]).toMatchObject({
      learner_id: learner,
      hosted_app_id: 1,
      complete: 'unknown',
      provider_errcode: null,
    });
    expect(answer.record.registration_guids).toEqual(
      registrations.map((each) => each.registration_guid),
    );
    const mine = Object.fromEntries(
      registrations.map(({ course_guid, registration_guid }) => [
        course_guid,
        { title: `Title of ${course_guid}`, registration_guid },
      ]),
    );
    expect(answer.registrationGuids).toEqual({ [learner]: mine, [learner.toLowerCase()]: mine });
  });

  it('publishes one act with counts for the audit log, and none if nothing changed', async () => {
    const invitation = await invitations.createInvitation();
    const [staying, leaving] = [newLearner(), newLearner()];
    await invitations.add(invitation, [staying, leaving]);
    await invitations.add(invitation, [staying], { unlearners: [leaving] });
    await invitations.add(invitation, [staying]);
    const acts = (await invitations.published('enrolment.audited')).filter(
      ({ subject }) => (subject as AuditSubject)['invitation_id'] === invitation.id,
    );
    const counts = { learners_added: 2, learners_removed: 0, registrations_created: 6 };
    expect(acts).toMatchObject([
      { action: 'learners.changed', realmId: 1, subject: counts },
      { subject: { learners_added: 0, learners_removed: 1, registrations_created: 0 } },
    ]);
  });

  it('fails with not-found for a name that the realm does not have', async () => {
    const { name } = await invitations.createInvitation();
    const unknown = invitations.add({ name: `${name} ` }, [newLearner()]);
    await expect(unknown).rejects.toMatchObject({ code: 'not-found' });
    const scope = { ...invitations.scope, realmId: 2 };
    const foreign = invitations.add({ name }, [newLearner()], { scope });
    await expect(foreign).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each([
    ['a user', { email: 'ann@example.com' }],
    ['a provider application', { applicationIds: [1] }],
  ])('fails with unauthenticated for access that is limited to %s', async (_, parts) => {
    const invitation = await invitations.createInvitation();
    const denied = invitations.add(invitation, [newLearner()], { scope: scopeOf(parts) });
    await expect(denied).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each([{ enabled: false }, { noUpdatesAllowed: true }])(
    'changes nothing in an invitation with %j, and says why',
    async (parts) => {
      const invitation = await invitations.createInvitation();
      const [present, absent] = [newLearner(), newLearner()];
      await invitations.add(invitation, [present]);
      const closed = await invitations.update(invitation, parts);
      const answer = await invitations.add(invitation, [absent], { unlearners: [present] });
      expect(answer.record).toEqual(closed);
      expect(answer.registrationGuids).toEqual({ [absent]: {} });
      expect(problemsIn(answer.messages)).toEqual([expect.stringContaining(invitation.name)]);
      expect(await invitations.registrationsOf(absent)).toEqual([]);
      expect(await invitations.registrationsOf(present)).toHaveLength(3);
    },
  );

  it('deactivates the registrations of removed learners, until they are added again', async () => {
    const invitation = await invitations.createInvitation();
    const learner = newLearner();
    const before = (await invitations.add(invitation, [learner])).registrationGuids;
    const removed = await invitations.add(invitation, [], { unlearners: [learner.toUpperCase()] });
    expect(removed.record).toMatchObject({ learners: [], registration_guids: [] });
    expect(await invitations.registrationsOf(learner)).toEqual([]);
    const back = await invitations.add(invitation, [learner]);
    expect(back.registrationGuids).toEqual(before);
    expect(await invitations.registrationsOf(learner)).toHaveLength(3);
  });

  it('replaces a registration that was deleted at the provider', async () => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const learner = newLearner();
    const first = await invitations.add(invitation, [learner]);
    await invitations.database.execute(
      sql`UPDATE registrations SET deletion_sequence = 9
          WHERE registration_guid = ANY(${first.record.registration_guids})`,
    );
    const second = await invitations.add(invitation, [learner]);
    expect(second.record.registration_guids).toHaveLength(1);
    expect(second.record.registration_guids).not.toEqual(first.record.registration_guids);
  });

  it('assigns the existing registration of a learner if duplicates are avoided', async () => {
    const learner = newLearner();
    const own = await invitations.create(learner, { courseGuid: 'swimming' });
    await invitations.database.execute(
      sql`UPDATE registrations SET course_guid = 'sailing'
          WHERE registration_guid = ${own.registration_guid}`,
    );
    const invitation = await invitations.createLicense(1, { avoidDuplicateRegistrations: true });
    const answer = await invitations.add(invitation, [learner.toUpperCase()]);
    expect(answer.record.registration_guids).toEqual([own.registration_guid]);
    expect(freeSeats(answer.record)).toEqual({ sailing: 0 });
    const other = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const another = await invitations.add(other, [learner]);
    expect(another.record.registration_guids).not.toEqual([own.registration_guid]);
  });

  it('deactivates a registration of two invitations when both have removed its learner', async () => {
    const parts = { courseGuids: ['sailing'], avoidDuplicateRegistrations: true };
    const learner = newLearner();
    const [one, two] = [
      await invitations.createInvitation(parts),
      await invitations.createInvitation(parts),
    ];
    await invitations.add(one, [learner]);
    await invitations.add(two, [learner]);
    expect(await invitations.registrationsOf(learner)).toHaveLength(1);
    await invitations.add(one, [], { unlearners: [learner] });
    expect(await invitations.registrationsOf(learner)).toHaveLength(1);
    await invitations.add(two, [], { unlearners: [learner] });
    expect(await invitations.registrationsOf(learner)).toEqual([]);
  });

  describe('of a license', () => {
    it('gives seats until none is free, and names the learners without a seat', async () => {
      const license = await invitations.createLicense(1);
      const [first, second] = [newLearner(), newLearner()];
      const answer = await invitations.add(license, [first, second]);
      expect(answer.record.learners).toEqual([first, second]);
      expect(answer.registrationGuids).toEqual({
        [first]: { sailing: expect.anything() as unknown },
        [second]: {},
      });
      expect(problemsIn(answer.messages)).toEqual([expect.stringContaining(second)]);
      expect(freeSeats(answer.record)).toEqual({ sailing: 0 });

      const moved = await invitations.add(license, [second], { unlearners: [first] });
      expect(problemsIn(moved.messages)).toEqual([]);
      expect(moved.registrationGuids).toMatchObject({ [second]: { sailing: {} } });
      expect(await invitations.registrationsOf(first)).toEqual([]);
    });

    it('keeps the seat of a removed learner who has launched the course', async () => {
      const license = await invitations.createLicense(1);
      const [launched, other] = [newLearner(), newLearner()];
      const { record } = await invitations.add(license, [launched]);
      await invitations.noteLaunch(record.registration_guids[0] ?? '');
      const swapped = await invitations.add(license, [other], { unlearners: [launched] });
      expect(problemsIn(swapped.messages)).toEqual([
        expect.stringContaining(other),
        expect.stringContaining(launched),
      ]);
      const back = await invitations.add(license, [launched]);
      expect(back.record.registration_guids).toEqual(record.registration_guids);
      expect(freeSeats(back.record)).toEqual({ sailing: 0 });
    });
  });

  it('rejects a request about more than 60,000 registrations', async () => {
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    await invitations.database.execute(
      sql`INSERT INTO invitation_courses SELECT ${invitation.id}, place, 1, 'course ' || place
          FROM generate_series(2, 31000) AS place`,
    );
    const rejected = invitations.add(invitation, [newLearner(), newLearner()]);
    await expect(rejected).rejects.toMatchObject({ code: 'invalid' });
    expect((await invitations.list({ id: invitation.id }))[0]?.learners).toEqual([]);
  });
});
