/*
 * A seat of a license is never sold twice (contract/invitations#never-oversold):
 *
 * 1. The functions of this file decide who takes a seat and who returns one.
 * 2. They see the seats as they are: every change of an invitation's learners, courses or seats first
 *    locks the invitation's row (`InvitationRepository.lock`: SELECT ... FOR UPDATE) and holds the lock
 *    until its transaction ends, so that changes of one invitation run one after another.
 * 3. The table rejects a number of free seats below zero (invitation_seats, CHECK (free >= 0)).
 *
 * docs/architecture.md#why-a-seat-cannot-be-sold-twice explains why, and lists the tests.
 */

/**
 * The free seats of a license by course GUID (contract/invitations#seats-per-course). A course
 * without an entry has no seats (contract/invitations#no-seats-without-data).
 */
export type FreeSeats = Map<string, number>;

/**
 * Returns whether a learner takes a seat to get a registration. A learner who holds a seat of the
 * course takes no second one (contract/invitations#seat-held-once).
 */
export const needsSeat = (license: boolean, holdsSeat: boolean): boolean => license && !holdsSeat;

/** Takes a free seat of a course. Returns false if there is none. */
export function takeSeat(seats: FreeSeats, courseGuid: string): boolean {
  const free = seats.get(courseGuid) ?? 0;
  if (free === 0) return false;
  seats.set(courseGuid, free - 1);
  return true;
}

/**
 * Returns whether a removed learner keeps a seat: a launched registration has used it
 * (contract/invitations#seat-used).
 */
export const keepsSeat = (holdsSeat: boolean, launched: boolean): boolean => holdsSeat && launched;

/** Makes a seat of a course free again (contract/invitations#seat-returned). */
export function returnSeat(seats: FreeSeats, courseGuid: string): void {
  const free = seats.get(courseGuid);
  if (free !== undefined) seats.set(courseGuid, free + 1);
}

/** Returns the change of the free seats by course, without courses that have not changed. */
export function seatChanges(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Map<string, number> {
  const changes = [...after].map(
    ([courseGuid, free]) => [courseGuid, free - (before.get(courseGuid) ?? 0)] as const,
  );
  return new Map(changes.filter(([, change]) => change !== 0));
}
