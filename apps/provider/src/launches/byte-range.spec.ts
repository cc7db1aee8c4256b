import { describe, expect, it } from 'vitest';
import { byteRange } from './byte-range.ts';

describe('byteRange', () => {
  it.each([
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-200', { first: 0, last: 99 }],
    ['bytes=50-500', { first: 50, last: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-3', null],
    ['bytes=-', null],
    ['bytes=0-1,5-6', null],
    ['lines=0-1', null],
    [undefined, null],
  ])('reads %p of a file of 100 bytes as %p', (header, range) => {
    expect(byteRange(header, 100)).toEqual(range);
  });

  it('returns unsatisfiable for an empty file', () => {
    expect(byteRange('bytes=0-', 0)).toBe('unsatisfiable');
  });
});
