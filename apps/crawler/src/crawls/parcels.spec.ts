import { describe, expect, it } from '@jest/globals';
import { inParcels } from './parcels.ts';

describe('parcels', () => {
  it('hold so many records at most', () => {
    expect(inParcels([1, 2, 3, 4, 5], { records: 2, characters: 100 })).toEqual([
      [1, 2],
      [3, 4],
      [5],
    ]);
  });

  it('hold so much text at most, and a larger record alone', () => {
    const limit = { records: 10, characters: 8 };
    expect(inParcels(['aa', 'bb', 'cccccccccc', 'd'], limit)).toEqual([
      ['aa', 'bb'],
      ['cccccccccc'],
      ['d'],
    ]);
  });

  it('are none for no records', () => {
    expect(inParcels([])).toEqual([]);
  });
});
