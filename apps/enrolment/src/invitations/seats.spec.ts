import { describe, expect, it } from 'vitest';
import { keepsSeat, needsSeat, returnSeat, seatChanges, takeSeat } from './seats.ts';

const freeSeats = (): Map<string, number> =>
  new Map([
    ['swimming', 2],
    ['diving', 0],
  ]);

describe('the seats of a license', () => {
  it('the seats of a license are taken until none is free', () => {
    const seats = freeSeats();
    expect([1, 2, 3].map(() => takeSeat(seats, 'swimming'))).toEqual([true, true, false]);
    expect(seats.get('swimming')).toBe(0);
  });

  it('the seats of a license can be taken again once after each return', () => {
    const seats = freeSeats();
    expect(takeSeat(seats, 'diving')).toBe(false);
    returnSeat(seats, 'diving');
    expect([takeSeat(seats, 'diving'), takeSeat(seats, 'diving')]).toEqual([true, false]);
  });

  it('the seats of a license do not exist for a course without an entry, not even after a return', () => {
    const seats = freeSeats();
    returnSeat(seats, 'rowing');
    expect(takeSeat(seats, 'rowing')).toBe(false);
    expect(seats).toEqual(freeSeats());
  });

  it('the seats of a license are needed by a learner of a license who holds none, and of no other invitation', () => {
    expect(needsSeat(true, false)).toBe(true);
    expect(needsSeat(true, true)).toBe(false);
    expect(needsSeat(false, false)).toBe(false);
  });

  it('the seats of a license stay with a removed learner who has launched the course', () => {
    expect(keepsSeat(true, true)).toBe(true);
    expect(keepsSeat(true, false)).toBe(false);
    expect(keepsSeat(false, true)).toBe(false);
  });

  it('the seats of a license change by what was taken and returned, course by course', () => {
    const before = freeSeats();
    const after = new Map(before);
    takeSeat(after, 'swimming');
    returnSeat(after, 'diving');
    takeSeat(after, 'diving');
    expect(seatChanges(before, after)).toEqual(new Map([['swimming', -1]]));
  });
});
