import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scrapeMetrics } from '@registrar/testing';
import {
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from './invitations.fixture.ts';

describe('the metric registrar_license_seats', () => {
  let invitations: InvitationsFixture;
  beforeAll(async () => {
    invitations = await startInvitationsFixture();
  });
  afterAll(() => invitations.stop());

  const seats = async () => {
    const { value } = await scrapeMetrics(invitations.app);
    return ['free', 'taken'].map((state) => value('registrar_license_seats', { state }));
  };

  it('counts free and taken seats of enabled licenses, and of no other invitation', async () => {
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
