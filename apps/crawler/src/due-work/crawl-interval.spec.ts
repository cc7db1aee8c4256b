import { describe, expect, it } from 'vitest';
import { coursesInterval, nextInterval, retryInterval } from './crawl-interval.ts';

describe('the interval of crawls', () => {
  it('doubles while nothing changes, up to ten times the shortest interval', () => {
    expect(nextInterval(30, 0, 30)).toBe(60);
    expect(nextInterval(240, 0, 30)).toBe(300);
    expect(nextInterval(300, 0, 30)).toBe(300);
  });

  it('returns to the shortest interval when something has changed', () => {
    expect(nextInterval(300, 1, 30)).toBe(30);
  });

  it('the interval of crawls is longer for the course list than for changed registrations, up to that of sweeps', () => {
    expect(coursesInterval(30)).toBe(300);
    expect(coursesInterval(3_600)).toBe(21_600);
  });

  it('doubles with each consecutive failure, up to a quarter of an hour', () => {
    expect([1, 2, 3, 40].map((failures) => retryInterval(failures, 30))).toEqual([
      30, 60, 120, 900,
    ]);
  });
});
