import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { findCourse, type InvitationRecord, invitationRecord } from '#libs/contracts';
import { randomUUID } from 'node:crypto';
import { scopeOf } from '../enrolment.fixture.ts';
import {
  courseGuids,
  customOf,
  freeSeats,
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from './invitations.fixture.ts';

describe('invitations', () => {
  let invitations: InvitationsFixture;

  beforeAll(async () => {
    invitations = await startInvitationsFixture();
  });
  afterAll(() => invitations.stop());

  describe('created', () => {
    it('are enabled and empty where nothing else is said', async () => {
      const record = await invitations.createInvitation({ courseGuids: null });
      expect(invitationRecord.parse(record)).toEqual(record);
      expect(record).toMatchObject({
        description: null,
        enabled: true,
        license: false,
        avoid_duplicate_registrations: false,
        no_updates_allowed: false,
        custom: null,
        course_guids: [],
        learners: [],
        registration_guids: [],
        realm_id: 1,
        invitation_template_id: null,
      });
    });

    it('hold what they are given, the courses in their order and each once', async () => {
      const record = await invitations.createInvitation({
        description: 'For spring',
        enabled: false,
        noUpdatesAllowed: true,
        custom: 'words',
        courseGuids: ['surfing', 'sailing', 'surfing'],
        invitationTemplateId: 5,
      });
      expect(record).toMatchObject({
        description: 'For spring',
        enabled: false,
        no_updates_allowed: true,
        custom: 'words',
        course_guids: ['surfing', 'sailing'],
        invitation_template_id: 5,
      });
    });

    it('have names of their own in a realm', async () => {
      const { name } = await invitations.createInvitation();
      const again = invitations.createInvitation({ name });
      await expect(again).rejects.toMatchObject({ code: 'invalid' });
      const scope = { ...invitations.scope, realmId: 2, applicationIds: [3] };
      const elsewhere = { name, scope, courseGuids: [] };
      expect(await invitations.createInvitation(elsewhere)).toMatchObject({ name, realm_id: 2 });
    });

    it.each([['nowhere'], ['both'], ['swimming']])(
      'do not exist for a course that no application holds, or several: %s',
      async (courseGuid) => {
        const name = randomUUID();
        const failed = invitations.createInvitation({ name, courseGuids: [courseGuid] });
        await expect(failed).rejects.toMatchObject({ code: 'not-found' });
        expect(await invitations.list({ name })).toEqual([]);
      },
    );

    it('take a course that the catalog has just made', async () => {
      const scope = { ...invitations.scope, applicationIds: [1] };
      const record = await invitations.createInvitation({ scope, courseGuids: ['diving'] });
      const { registrationGuids } = await invitations.add(record, ['ann@example.com']);
      expect(registrationGuids).toMatchObject({ 'ann@example.com': { diving: {} } });
    });

    it('refuse a licence whose seats cannot be read', async () => {
      const failed = invitations.createInvitation({ license: true, custom: 'words' });
      await expect(failed).rejects.toMatchObject({ code: 'invalid' });
    });
  });

  describe('listed', () => {
    it('come in the order of their ids, whatever the size of the pages, or by id and name', async () => {
      const all = await invitations.list();
      expect(await invitations.list({}, { pageSize: 2 })).toEqual(all);
      const ids = all.map((record) => record.id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      const [first, second] = all;
      expect(await invitations.list({ id: first?.id ?? 0 })).toEqual([first]);
      expect(await invitations.list({ name: second?.name ?? '' })).toEqual([second]);
      expect(await invitations.list({ id: first?.id ?? 0, name: 'other' })).toEqual([]);
    });

    it('are those of the realm, for access to the whole of it', async () => {
      const own = await invitations.createInvitation();
      const scope = { ...invitations.scope, realmId: 2 };
      expect(await invitations.list({ id: own.id }, { scope })).toEqual([]);
      for (const parts of [{ email: 'ann@example.com' }, { applicationIds: [1] }]) {
        const denied = invitations.list({}, { scope: scopeOf(parts) });
        await expect(denied).rejects.toMatchObject({ code: 'unauthenticated' });
      }
    });
  });

  describe('updated', () => {
    it('change in what is given, and stay as they are in the rest', async () => {
      const before = await invitations.createInvitation({ description: 'Old' });
      const updated = await invitations.update(before, { description: 'New', enabled: false });
      expect(updated).toEqual({
        ...before,
        description: 'New',
        enabled: false,
        updated_at: expect.any(String),
      });
      const renamed = await invitations.update(before, {
        invitation: { by: 'name', name: before.name },
        name: `${before.name} renamed`,
        courseGuids: ['rowing'],
      });
      expect(renamed).toMatchObject({ name: `${before.name} renamed`, course_guids: ['rowing'] });
      const more = await invitations.update(before, { courseGuids: [...courseGuids].reverse() });
      expect(more.course_guids).toEqual(['surfing', 'rowing', 'sailing']);
    });

    it('fail for a name that is taken, and where there is no such invitation', async () => {
      const [one, two] = [
        await invitations.createInvitation(),
        await invitations.createInvitation(),
      ];
      const taken = invitations.update(one, { name: two.name, enabled: false });
      await expect(taken).rejects.toMatchObject({ code: 'invalid' });
      expect(await invitations.list({ id: one.id })).toEqual([one]);
      const scope = { ...invitations.scope, realmId: 2 };
      await expect(invitations.update(one, { scope })).rejects.toMatchObject({ code: 'not-found' });
      const named = { invitation: { by: 'name' as const, name: 'nothing' } };
      await expect(invitations.update(one, named)).rejects.toMatchObject({ code: 'not-found' });
    });

    it('hold up nobody while the catalog is asked', async () => {
      const { bus, database } = invitations;
      const { id, name } = await invitations.createInvitation({ courseGuids: [] });
      const request = bus.request.bind(bus);
      const asked: unknown[] = [];
      const spy = jest.spyOn(bus, 'request').mockImplementation(async (contract, input) => {
        if ((contract as object) === findCourse) {
          const lock = 'SELECT id FROM invitations WHERE id = $1 FOR UPDATE NOWAIT';
          asked.push(...(await database.detached(() => database.query(lock, [id]))));
        }
        return request(contract, input);
      });
      try {
        const scope = { ...invitations.scope, applicationIds: [1] };
        const updated = await invitations.update({ id } as InvitationRecord, {
          scope,
          courseGuids: ['diving'],
        });
        expect(updated).toMatchObject({ name, course_guids: ['diving'] });
      } finally {
        spy.mockRestore();
      }
      expect(asked).toEqual([{ id }]);
    });

    it('leave to learners what they have got', async () => {
      const invitation = await invitations.createInvitation();
      const learner = newLearner();
      const { record } = await invitations.add(invitation, [learner]);
      const updated = await invitations.update(invitation, { courseGuids: [] });
      expect(updated.registration_guids).toEqual(record.registration_guids);
      await invitations.add(invitation, [], { unlearners: [learner] });
      expect(await invitations.registrationsOf(learner)).toEqual([]);
    });
  });

  describe('as licences', () => {
    it('show their free seats in custom, as they are taken', async () => {
      const licence = await invitations.createLicense(5);
      expect(licence.custom).toBe(customOf({ sailing: 5 }));
      const { record } = await invitations.add(licence, [newLearner(), newLearner()]);
      expect(record.custom).toBe(customOf({ sailing: 3 }));
    });

    it('get the seats that a new custom names, and keep theirs when it names none', async () => {
      const licence = await invitations.createLicense(1);
      const [first, second] = [newLearner(), newLearner()];
      await invitations.add(licence, [first, second]);
      const silent = await invitations.update(licence, { custom: '{"order_id":"2"}' });
      expect(JSON.parse(silent.custom ?? '')).toEqual({
        order_id: '2',
        license_data: { sailing: { seats_available: 0 } },
      });
      await invitations.update(licence, { custom: customOf({ sailing: 4, rowing: 1 }) });
      const { record } = await invitations.add(licence, [second]);
      expect(freeSeats(record)).toEqual({ sailing: 3, rowing: 1 });
      const fewer = await invitations.update(licence, { custom: customOf({ rowing: 2 }) });
      expect(freeSeats(fewer)).toEqual({ rowing: 2 });
    });

    it('can be made of others, and ask no seat for what was given before', async () => {
      const custom = customOf({ sailing: 1 });
      const invitation = await invitations.createInvitation({ custom, courseGuids: ['sailing'] });
      const [before, after] = [newLearner(), newLearner()];
      const open = await invitations.add(invitation, [before]);
      expect(open.record.custom).toBe(custom);
      await invitations.update(invitation, { license: true });
      const { record, messages } = await invitations.add(invitation, [before, after]);
      expect(messages).toEqual([]);
      expect(freeSeats(record)).toEqual({ sailing: 0 });
    });

    it('cannot be made of one whose seats cannot be read', async () => {
      const invitation = await invitations.createInvitation({ custom: 'words' });
      const failed = invitations.update(invitation, { license: true });
      await expect(failed).rejects.toMatchObject({ code: 'invalid' });
    });
  });
});
