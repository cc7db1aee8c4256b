import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findCourse, type InvitationRecord, invitationRecord } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { scopeOf } from '../enrolment.fixture.ts';
import {
  courseGuids,
  customOf,
  freeSeats,
  type InvitationsFixture,
  newLearner,
  problemsIn,
  startInvitationsFixture,
} from './invitations.fixture.ts';

describe('invitations', () => {
  let invitations: InvitationsFixture;

  beforeAll(async () => {
    invitations = await startInvitationsFixture();
  });
  afterAll(() => invitations.stop());

  describe('create', () => {
    it('makes an enabled invitation without courses and learners by default', async () => {
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

    it('gives a license without a name a generated key that cannot be guessed', async () => {
      const licenses = await Promise.all(
        [1, 2].map(() => invitations.createInvitation({ name: null, license: true })),
      );
      for (const { name } of licenses)
        expect(name).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/);
      expect(licenses[0]?.name).not.toBe(licenses[1]?.name);
      await expect(invitations.createInvitation({ name: null })).rejects.toMatchObject({
        code: 'invalid',
      });
    });

    it('merges license_data into custom, and sets the seats', async () => {
      const licenseData = { sailing: { seats_available: 3 }, rowing: { seats_available: 1 } };
      const other = JSON.stringify({
        order_id: 7,
        license_data: { sailing: { seats_available: 9 } },
      });
      const record = await invitations.createInvitation({
        name: null,
        license: true,
        custom: other,
        licenseData,
      });
      expect(JSON.parse(record.custom ?? '')).toEqual({ order_id: 7, license_data: licenseData });
      const alone = await invitations.createInvitation({ license: true, licenseData });
      expect(freeSeats(alone)).toEqual({ sailing: 3, rowing: 1 });
      const fewer = await invitations.update(record, {
        licenseData: { sailing: { seats_available: 2 } },
      });
      expect(JSON.parse(fewer.custom ?? '')).toEqual({
        order_id: 7,
        license_data: { sailing: { seats_available: 2 } },
      });
    });

    it.each([
      ['text', { sailing: { seats_available: 1 } }],
      ['{}', { sailing: 1 }],
      [JSON.stringify({ a: 'x'.repeat(1_048_560) }), {}],
    ])('rejects a custom that cannot hold license_data (%#)', async (custom, licenseData) => {
      await expect(
        invitations.createInvitation({ license: true, custom, licenseData }),
      ).rejects.toMatchObject({ code: 'invalid' });
    });

    it('stores the given fields, and each course once in the given order', async () => {
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

    it('fails for a name that the realm has, and not for a name of another realm', async () => {
      const { name } = await invitations.createInvitation();
      const again = invitations.createInvitation({ name });
      await expect(again).rejects.toMatchObject({ code: 'invalid' });
      const scope = { ...invitations.scope, realmId: 2, applicationIds: [3] };
      const elsewhere = { name, scope, courseGuids: [] };
      expect(await invitations.createInvitation(elsewhere)).toMatchObject({ name, realm_id: 2 });
    });

    it.each([['nowhere'], ['both'], ['swimming']])(
      'fails with not-found for a course that no application holds, or several: %s',
      async (courseGuid) => {
        const name = randomUUID();
        const failed = invitations.createInvitation({ name, courseGuids: [courseGuid] });
        await expect(failed).rejects.toMatchObject({ code: 'not-found' });
        expect(await invitations.list({ name })).toEqual([]);
      },
    );

    it('accepts a course that only the catalog knows yet', async () => {
      const scope = { ...invitations.scope, applicationIds: [1] };
      const record = await invitations.createInvitation({ scope, courseGuids: ['diving'] });
      const { registrationGuids } = await invitations.add(record, ['ann@example.com']);
      expect(registrationGuids).toMatchObject({ 'ann@example.com': { diving: {} } });
    });

    it('rejects a license with malformed license_data', async () => {
      const failed = invitations.createInvitation({ license: true, custom: 'words' });
      await expect(failed).rejects.toMatchObject({ code: 'invalid' });
    });
  });

  describe('index', () => {
    it('returns the order of ids for any page size, and filters by id and name', async () => {
      const all = await invitations.list();
      expect(await invitations.list({}, { pageSize: 2 })).toEqual(all);
      const ids = all.map((record) => record.id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      const [first, second] = all;
      expect(await invitations.list({ id: first?.id ?? 0 })).toEqual([first]);
      expect(await invitations.list({ name: second?.name ?? '' })).toEqual([second]);
      expect(await invitations.list({ id: first?.id ?? 0, name: 'other' })).toEqual([]);
    });

    it('returns the invitations of the realm, and only to realm access', async () => {
      const own = await invitations.createInvitation();
      const scope = { ...invitations.scope, realmId: 2 };
      expect(await invitations.list({ id: own.id }, { scope })).toEqual([]);
      for (const parts of [{ email: 'ann@example.com' }, { applicationIds: [1] }]) {
        const denied = invitations.list({}, { scope: scopeOf(parts) });
        await expect(denied).rejects.toMatchObject({ code: 'unauthenticated' });
      }
    });
  });

  describe('update', () => {
    it('changes the given fields and leaves the others unchanged', async () => {
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

    it('fails for a taken name, and with not-found for an unknown invitation', async () => {
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

    it('invitation update does not lock the invitation while it requests the catalog', async () => {
      const { bus, database } = invitations;
      const { id, name } = await invitations.createInvitation({ courseGuids: [] });
      const request = bus.request.bind(bus);
      const locked: unknown[] = [];
      const spy = vi.spyOn(bus, 'request').mockImplementation(async (contract, input) => {
        if ((contract as object) === findCourse) {
          const lock = sql`SELECT id FROM invitations WHERE id = ${id} FOR UPDATE NOWAIT`;
          const row = z.object({ id: z.number() });
          locked.push(...(await database.outsideTransaction(() => database.many(row, lock))));
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
      expect(locked).toEqual([{ id }]);
    });

    it('leaves learners their registrations for removed courses', async () => {
      const invitation = await invitations.createInvitation();
      const learner = newLearner();
      const { record } = await invitations.add(invitation, [learner]);
      const updated = await invitations.update(invitation, { courseGuids: [] });
      expect(updated.registration_guids).toEqual(record.registration_guids);
      await invitations.add(invitation, [], { unlearners: [learner] });
      expect(await invitations.registrationsOf(learner)).toEqual([]);
    });
  });

  describe('of licenses', () => {
    it('shows the free seats in custom as they are taken', async () => {
      const license = await invitations.createLicense(5);
      expect(license.custom).toBe(customOf({ sailing: 5 }));
      const { record } = await invitations.add(license, [newLearner(), newLearner()]);
      expect(record.custom).toBe(customOf({ sailing: 3 }));
    });

    it('sets the seats to license_data of a new custom, and keeps them without it', async () => {
      const license = await invitations.createLicense(1);
      const [first, second] = [newLearner(), newLearner()];
      await invitations.add(license, [first, second]);
      const unchanged = await invitations.update(license, { custom: '{"order_id":"2"}' });
      expect(JSON.parse(unchanged.custom ?? '')).toEqual({
        order_id: '2',
        license_data: { sailing: { seats_available: 0 } },
      });
      await invitations.update(license, { custom: customOf({ sailing: 4, rowing: 1 }) });
      const { record } = await invitations.add(license, [second]);
      expect(freeSeats(record)).toEqual({ sailing: 3, rowing: 1 });
      const fewer = await invitations.update(license, { custom: customOf({ rowing: 2 }) });
      expect(freeSeats(fewer)).toEqual({ rowing: 2 });
    });

    it('needs no seats for registrations from the time before it was a license', async () => {
      const custom = customOf({ sailing: 1 });
      const invitation = await invitations.createInvitation({ custom, courseGuids: ['sailing'] });
      const [before, after] = [newLearner(), newLearner()];
      const open = await invitations.add(invitation, [before]);
      expect(open.record.custom).toBe(custom);
      await invitations.update(invitation, { license: true });
      const { record, messages } = await invitations.add(invitation, [before, after]);
      expect(problemsIn(messages)).toEqual([]);
      expect(freeSeats(record)).toEqual({ sailing: 0 });
    });

    it('rejects the change to a license if the stored license_data is malformed', async () => {
      const invitation = await invitations.createInvitation({ custom: 'words' });
      const failed = invitations.update(invitation, { license: true });
      await expect(failed).rejects.toMatchObject({ code: 'invalid' });
    });
  });
});
