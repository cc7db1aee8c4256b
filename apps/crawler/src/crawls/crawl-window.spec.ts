import { describe, expect, it } from '@jest/globals';
import { changedSince } from './crawl-window.ts';

describe('the window of a crawl', () => {
  it('overlaps the previous window by a minute', () => {
    expect(changedSince(new Date('2026-03-01T12:00:30Z'))).toEqual(
      new Date('2026-03-01T11:59:30Z'),
    );
  });

  it('has no beginning for the first crawl', () => {
    expect(changedSince(null)).toBeUndefined();
  });
});
