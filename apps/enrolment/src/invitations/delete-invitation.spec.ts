import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessScope, deleteInvitation } from '@registrar/contracts';
import { scopeOf } from '../enrolment.fixture.ts';
import { InitializeRegistrations } from '../registrations/initialize-registrations.ts';
import {
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from './invitations.fixture.ts';

describe('invitation delete', () => {
  let invitations: InvitationsFixture;

  beforeAll(async () => {
    invitations = await startInvitationsFixture();
  });
  afterAll(() => invitations.stop());

  const remove = ({ id }: { id: number }, scope: AccessScope = invitations.scope) =>
    invitations.bus.request(deleteInvitation, { scope, id });
  const activeOf = async (learnerId: string) =>
    (await invitations.index({ learnerId }, { includeInactive: true })).map(({ active }) => active);
  const notFound = { code: 'not-found' };

  it('returns the last record once, and frees the name', async () => {
    const learner = newLearner();
    const made = await invitations.createLicense(2);
    const { record } = await invitations.add(made, [learner]);
    expect(await remove(made)).toEqual(record);
    expect(await invitations.list({ id: made.id })).toEqual([]);
    await expect(remove(made)).rejects.toMatchObject(notFound);
    await expect(invitations.add(made, [learner])).rejects.toMatchObject(notFound);
    const again = await invitations.createLicense(1, { name: made.name });
    expect(again).toMatchObject({ learners: [], registration_guids: [] });
    const added = await invitations.add(again, [learner]);
    expect(added.record.registration_guids).toHaveLength(1);
  });

  it('makes the registrations of its learners inactive', async () => {
    const [first, second] = [newLearner(), newLearner()];
    const made = await invitations.createInvitation({ courseGuids: ['sailing'] });
    await invitations.add(made, [first, second]);
    await remove(made);
    expect([await activeOf(first), await activeOf(second)]).toEqual([[false], [false]]);
  });

  it('leaves a registration active that another invitation shares, until that one is deleted too', async () => {
    const learner = newLearner();
    const parts = { courseGuids: ['sailing'], avoidDuplicateRegistrations: true };
    const [one, two] = [
      await invitations.createInvitation(parts),
      await invitations.createInvitation(parts),
    ];
    for (const each of [one, two]) await invitations.add(each, [learner]);
    expect(await activeOf(learner)).toEqual([true]);
    await remove(one);
    expect(await activeOf(learner)).toEqual([true]);
    await remove(two);
    expect(await activeOf(learner)).toEqual([false]);
  });

  it('makes a registration inactive that two invitations share when both are deleted together', async () => {
    const learners = Array.from({ length: 20 }, newLearner);
    const parts = { courseGuids: ['sailing'], avoidDuplicateRegistrations: true };
    const made = [
      await invitations.createInvitation(parts),
      await invitations.createInvitation(parts),
    ];
    for (const each of made) await invitations.add(each, learners);
    await Promise.all(made.map((each) => remove(each)));
    expect((await Promise.all(learners.map(activeOf))).flat()).toEqual(learners.map(() => false));
  });

  it('invitation delete does not create the registrations at the provider that wait for it', async () => {
    const made = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const { record } = await invitations.add(made, [newLearner()], {
      skipExternalInitialization: false,
    });
    await remove(made);
    const job = invitations.app.get(InitializeRegistrations);
    while ((await job.initializeDue()) > 0);
    const [guid = ''] = record.registration_guids;
    expect(invitations.account(1).registrations.has(guid)).toBe(false);
  });

  it('deletes closed invitations', async () => {
    for (const closed of [{ enabled: false }, { noUpdatesAllowed: true }]) {
      const made = await invitations.createInvitation(closed);
      expect(await remove(made)).toEqual(made);
    }
  });

  it('ends well beside an add_learners of the same invitation', async () => {
    const learners = Array.from({ length: 5 }, newLearner);
    const made = await invitations.createInvitation({ courseGuids: ['sailing'] });
    const [removal, ...adds] = await Promise.allSettled([
      remove(made),
      ...learners.map((learner) => invitations.add(made, [learner])),
    ]);
    expect(removal?.status).toBe('fulfilled');
    for (const add of adds) {
      if (add.status === 'rejected') expect(add.reason).toMatchObject(notFound);
    }
    const active = (await Promise.all(learners.map(activeOf))).flat();
    expect(active).not.toContain(true);
  });

  it.each([
    ['a user-bound key', scopeOf({ email: 'ada@example.org' }), 'unauthenticated'],
    ['access to one application', scopeOf({ applicationIds: [1] }), 'unauthenticated'],
    [
      'another realm',
      { ...scopeOf({ applicationIds: [3] }), realmId: 2, wholeRealm: true },
      'not-found',
    ],
  ] as const)('invitation delete is refused for %s', async (_, scope, code) => {
    const made = await invitations.createInvitation();
    await expect(remove(made, scope)).rejects.toMatchObject({ code });
    expect(await invitations.list({ id: made.id })).toEqual([made]);
  });
});
