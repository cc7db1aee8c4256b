import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, toPage } from './keyset.ts';

describe('keyset paging', () => {
  it('decodes the cursors that it encoded and rejects all others', () => {
    expect(decodeCursor(encodeCursor(4711))).toBe(4711);
    expect(decodeCursor(null)).toBe(0);
    expect(() => decodeCursor('nonsense')).toThrow('malformed cursor');
    expect(() => decodeCursor(`${encodeCursor(4711)}!`)).toThrow('malformed cursor');
    expect(() => decodeCursor(encodeCursor(-1))).toThrow('malformed cursor');
  });

  it('keyset paging has a next page if there is one row more than the limit', () => {
    const rows = [{ id: 1 }, { id: 2 }, { id: 3 }];
    expect(toPage(rows, 2)).toEqual({ items: [{ id: 1 }, { id: 2 }], next: encodeCursor(2) });
    expect(toPage(rows, 3)).toEqual({ items: rows, next: null });
  });
});
