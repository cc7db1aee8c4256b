import { describe, expect, it } from 'vitest';
import { delayAfter, lastStep } from './registration-schedule.ts';

describe('the schedule of a launched registration', () => {
  it('the schedule of a launched registration has six crawls at growing intervals', () => {
    const delays = [0, 1, 2, 3, 4, 5, 6].map((step) => delayAfter(step, 30));
    expect(delays).toEqual([30, 120, 480, 1_920, 7_680, 30_720, null]);
  });

  it('the schedule of a launched registration has one crawl left at the last step', () => {
    expect(delayAfter(lastStep, 30)).not.toBeNull();
    expect(delayAfter(lastStep + 1, 30)).toBeNull();
  });
});
