import { describe, expect, it } from 'vitest';
import { CallCounts } from './call-counts.ts';

describe('counts of calls', () => {
  it('counts of calls have the most calls of one application in any second and in any minute', () => {
    const counts = new CallCounts();
    for (const at of [0, 900, 999, 1_000, 30_000, 59_999, 60_000]) counts.count('a', 'list', at);
    counts.count('b', 'get', 60_000);
    expect(counts.take()).toMatchObject({
      calls: { list: 7, get: 1 },
      mostInSecond: 3,
      mostInMinute: 6,
    });
  });

  it('counts of calls have the calls of each application, and the most of them in any second and minute', () => {
    const counts = new CallCounts();
    for (const at of [0, 500, 70_000]) counts.count('a', 'list', at);
    for (const at of [70_000, 70_100, 70_200]) counts.count('b', 'get', at);
    expect(counts.take().applications).toEqual({
      a: { calls: 3, mostInSecond: 2, mostInMinute: 2 },
      b: { calls: 3, mostInSecond: 3, mostInMinute: 3 },
    });
  });

  it('counts of calls begin anew after a report', () => {
    const counts = new CallCounts();
    counts.count('a', 'list', 0);
    counts.take();
    expect(counts.take()).toEqual({
      calls: {},
      applications: {},
      mostInSecond: 0,
      mostInMinute: 0,
    });
  });
});
