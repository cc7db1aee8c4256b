import { describe, expect, it } from '@jest/globals';
import { Seats } from './seats.ts';

describe('the seats of a licence', () => {
  const seats = () =>
    new Seats(
      new Map([
        ['swimming', 2],
        ['diving', 0],
      ]),
    );

  it('are given out as long as there are any', () => {
    const some = seats();
    expect([1, 2, 3].map(() => some.take('swimming'))).toEqual([true, true, false]);
    expect(some.changes()).toEqual(new Map([['swimming', -2]]));
  });

  it('can be taken again once they were given back', () => {
    const some = seats();
    expect(some.take('diving')).toBe(false);
    some.giveBack('diving');
    expect([some.take('diving'), some.take('diving')]).toEqual([true, false]);
    expect(some.changes()).toEqual(new Map());
  });

  it('do not exist for a course without an entry', () => {
    const some = seats();
    some.giveBack('rowing');
    expect([some.take('rowing'), some.isFor('rowing'), some.isFor('diving')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(some.changes()).toEqual(new Map());
  });
});
