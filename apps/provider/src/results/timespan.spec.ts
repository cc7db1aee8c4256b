import { describe, expect, it } from 'vitest';
import { secondsOfDuration, secondsOfTimespan, timespanOf } from './timespan.ts';

describe('timespan', () => {
  it.each([
    ['00:00:30', 30],
    ['01:02:03.5', 3723.5],
    ['9999:59:59.99', 35_999_999.99],
    ['0:30', 0],
    ['', 0],
    [undefined, 0],
  ])('reads the SCORM 1.2 timespan %p as %p seconds', (text, seconds) => {
    expect(secondsOfTimespan(text)).toBeCloseTo(seconds, 5);
  });

  it.each([
    ['PT30S', 30],
    ['PT1H30M5.5S', 5405.5],
    ['P1DT1S', 86_401],
    ['P1Y', 31_557_600],
    ['P2M', 5_259_600],
    ['PT0S', 0],
    ['P', 0],
    ['half an hour', 0],
    [undefined, 0],
  ])('reads the SCORM 2004 duration %p as %p seconds', (text, seconds) => {
    expect(secondsOfDuration(text)).toBeCloseTo(seconds, 5);
  });

  it('formats seconds as HHHH:MM:SS.ss', () => {
    expect(timespanOf(0)).toBe('0000:00:00.00');
    expect(timespanOf(26.66)).toBe('0000:00:26.66');
    expect(timespanOf(59.999)).toBe('0000:01:00.00');
    expect(timespanOf(3_600 * 100 + 61.5)).toBe('0100:01:01.50');
  });
});
