import { describe, expect, it } from 'vitest';
import { doneOf, estimateEnd } from './estimate-end.ts';

const since = Date.parse('2026-02-03T04:05:06Z');
const running = { items: 250, expected: 1_000, running_since: new Date(since).toISOString() };

describe('the estimate of a crawl', () => {
  it('the estimate of a crawl is the time that the rest takes at the pace until now', () => {
    expect(estimateEnd(running, since + 60_000)).toBe(180);
    expect(estimateEnd({ ...running, items: 1_000 }, since + 60_000)).toBe(0);
    expect(doneOf(running)).toBe(0.25);
  });

  it('the estimate of a crawl is none at its beginning, and where the length of the list is not known', () => {
    expect(estimateEnd(running, since + 4_000)).toBeNull();
    expect(estimateEnd({ ...running, items: 0 }, since + 60_000)).toBeNull();
    expect(estimateEnd({ ...running, expected: null }, since + 60_000)).toBeNull();
    expect(estimateEnd({ ...running, expected: 0, items: 0 }, since + 60_000)).toBeNull();
    expect(estimateEnd({ ...running, expected: 200 }, since + 60_000)).toBeNull();
    expect(estimateEnd({ ...running, items: null, running_since: null }, since)).toBeNull();
  });

  it('the estimate of a crawl is none while the clock of the reader is behind', () => {
    expect(estimateEnd(running, since - 60_000)).toBeNull();
  });
});
