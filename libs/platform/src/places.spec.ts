import { describe, expect, it } from 'vitest';
import { Places, untilShare } from './places.ts';

/** How many places a holder takes until there is none for it. */
function takeAll(places: Places, holder: Parameters<Places['take']>[0]): number {
  let taken = 0;
  for (; places.isFreeFor(holder, 'fewer than are free'); taken += 1) places.take(holder);
  return taken;
}

describe('places that are shared', () => {
  const user = (key: string) => ({ realmId: 1, key, keyWeight: 1 / 8 });
  const key = { realmId: 1, key: 'key' };

  it('shared places are half for a realm alone, whose key of weight 1 gets most of them and a user two thirds', () => {
    expect(takeAll(new Places(128), key)).toBe(61);
    expect(takeAll(new Places(128), user('a'))).toBe(43);
  });

  it('shared places are left for the next user, key and realm after others have taken all they may', () => {
    const places = new Places(128);
    const holders = [user('a'), user('b'), key, { realmId: 2, key: 'key' }];
    expect(holders.map((holder) => takeAll(places, holder))).toEqual([43, 14, 7, 31]);
  });

  it('shared places are free again when they are given back, once for each place', () => {
    const places = new Places(4);
    const taken = takeAll(places, key);
    for (let each = 0; each <= taken; each += 1) places.giveBack(key);
    expect([places.held, places.heldBy(1), takeAll(places, key)]).toEqual([0, 0, taken]);
  });

  it.each([1, 1 / 8])(
    'a key of weight %d may take as many more as untilShare returns',
    (weight) => {
      for (let left = 0; left <= 20; left += 1) {
        let taken = 0;
        while (untilShare(3 + taken, left - taken, weight) > 0) taken += 1;
        expect(untilShare(3, left, weight)).toBe(taken);
      }
    },
  );
});
