import { describe, expect, it } from '@jest/globals';
import { CallCounts } from './call-counts.ts';

describe('counts of calls', () => {
  it('have the most calls of one application in any second and in any minute', () => {
    const counts = new CallCounts();
    for (const at of [0, 900, 999, 1_000, 30_000, 59_999, 60_000]) counts.count('a', 'list', at);
    counts.count('b', 'get', 60_000);
    expect(counts.take()).toEqual({
      ...{ calls: { list: 7, get: 1 }, mostInSecond: 3, mostInMinute: 6 },
    });
  });

  it('begin anew after a report', () => {
    const counts = new CallCounts();
    counts.count('a', 'list', 0);
    counts.take();
    expect(counts.take()).toEqual({ calls: {}, mostInSecond: 0, mostInMinute: 0 });
  });
});
