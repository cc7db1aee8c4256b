import { describe, expect, it } from '@jest/globals';
import { CourseProviderError, type ProviderFaultKind } from '#libs/course-provider';
import { pauseAfter } from './pause.ts';

const fault = (kind: ProviderFaultKind, retryAfter: number | null = null) =>
  new CourseProviderError({
    kind,
    retryAfter,
    providerCode: '500',
    providerMessage: 'no',
    method: 'GET',
    url: 'https://provider.example.com/api/v2/courses',
  });
const pauses = (error: unknown) => [1, 2, 3, 20].map((failures) => pauseAfter(error, failures, 0));

describe('the pause after a failure', () => {
  it('doubles up to a minute for what passes by itself', () => {
    expect(pauses(fault('unavailable'))).toEqual([1, 2, 4, 60]);
    expect(pauses(new Error('anything'))).toEqual([1, 2, 4, 60]);
  });

  it('is longer for what somebody has to put right', () => {
    expect(pauses(fault('unauthorized'))).toEqual([30, 60, 120, 300]);
  });

  it('is as long as the provider wants, up to an hour', () => {
    expect(pauseAfter(fault('throttled', 17), 1, 0)).toBe(17);
    expect(pauseAfter(fault('throttled', 1e9), 1, 0)).toBe(3600);
    expect(pauseAfter(fault('throttled', 1), 20, 0)).toBe(60);
  });

  it('is spread by a quarter', () => {
    expect(pauseAfter(fault('unavailable'), 20, 1)).toBe(45);
  });
});
