import { expect, it } from 'vitest';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { claimSeats, type Round } from './claim-seats.ts';

describeWith(
  await findBroker(),
  'seats of a license with three replicas of enrolment',
  (brokerUrl) => {
    it('concurrent claims never sell a seat twice and fill every seat', async () => {
      const rounds: Round[] = [];
      const claimed = claimSeats({ rounds: 2, claims: 100, seats: 10 }, brokerUrl);
      for await (const round of claimed) rounds.push(round);
      const exactly = { granted: 10, registrations: 10, learners: 100, free: 0 };
      expect(rounds).toEqual([1, 2].map(() => expect.objectContaining(exactly)));
    });
  },
);
