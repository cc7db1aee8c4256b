import { describe, expect, it } from 'vitest';
import { splitIntoBatches } from './split-into-batches.ts';

describe('splitIntoBatches', () => {
  it('limits the number of records in a batch', () => {
    expect(splitIntoBatches([1, 2, 3, 4, 5], { records: 2, characters: 100 })).toEqual([
      [1, 2],
      [3, 4],
      [5],
    ]);
  });

  it('limits the text of a batch and puts a larger record into one alone', () => {
    const limit = { records: 10, characters: 8 };
    expect(splitIntoBatches(['aa', 'bb', 'cccccccccc', 'd'], limit)).toEqual([
      ['aa', 'bb'],
      ['cccccccccc'],
      ['d'],
    ]);
  });

  it('returns no batches for no records', () => {
    expect(splitIntoBatches([])).toEqual([]);
  });
});
