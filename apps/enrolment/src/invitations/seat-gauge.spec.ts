import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scrapeMetrics } from '#libs/testing';
import {
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from './invitations.fixture.ts';

describe('the gauge of seats', () => {
  let invitations: InvitationsFixture;
  beforeAll(async () => {
    invitations = await startInvitationsFixture();
  });
  afterAll(() => invitations.stop());

  const seats = async () => {
    const { value } = await scrapeMetrics(invitations.app);
    return ['free', 'taken'].map((state) => value('registrar_licence_seats', { state }));
  };

  it('shows those of the licences that are enabled, and of no other invitation', async () => {
    expect(await seats()).toEqual([0, 0]);
    const license = await invitations.createLicense(5);
    const closed = await invitations.createLicense(7);
    await invitations.createInvitation({ courseGuids: ['rowing'] });
    await invitations.add(license, [newLearner(), newLearner()]);
    await invitations.add(closed, [newLearner()]);
    expect(await seats()).toEqual([9, 3]);
    await invitations.update(closed, { enabled: false });
    expect(await seats()).toEqual([3, 2]);
  });
});
