import { describe, expect, it } from '@jest/globals';
import { brokerForTests } from '#libs/testing';
import { claimSeats } from './claim-seats.ts';

const brokerUrl = await brokerForTests();

describe('many claims at once on few seats, over RabbitMQ to three replicas', () => {
  if (!brokerUrl) {
    it('are left out where no RabbitMQ answers', () => expect(brokerUrl).toBeNull());
    return;
  }

  it('are granted exactly as often as there are seats', async () => {
    const rounds = await claimSeats({ rounds: 2, claims: 100, seats: 10 }, brokerUrl);
    const exactly = { granted: 10, registrations: 10, learners: 100, free: 0 };
    expect(rounds).toEqual([1, 2].map(() => expect.objectContaining(exactly)));
  }, 60_000);
});
