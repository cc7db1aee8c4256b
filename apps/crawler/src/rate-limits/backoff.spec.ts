import { describe, expect, it } from 'vitest';
import { CourseProviderError, type ProviderFaultKind } from '@registrar/course-provider';
import { backoffAfter } from './backoff.ts';

const fault = (kind: ProviderFaultKind, retryAfter: number | null = null) =>
  new CourseProviderError({
    kind,
    retryAfter,
    providerCode: '500',
    providerMessage: 'no',
    method: 'GET',
    url: 'https://provider.example.com/api/v2/courses',
  });
const delays = (error: unknown) =>
  [1, 2, 3, 20].map((failures) => backoffAfter(error, failures, 0));

describe('the backoff after a failure', () => {
  it('doubles up to a minute after a transient fault', () => {
    expect(delays(fault('unavailable'))).toEqual([1, 2, 4, 60]);
    expect(delays(new Error('anything'))).toEqual([1, 2, 4, 60]);
  });

  it('begins at 30 s and doubles up to 15 minutes after rejected credentials', () => {
    expect(delays(fault('unauthorized'))).toEqual([30, 60, 120, 900]);
  });

  it('lasts at least as long as Retry-After says, up to an hour', () => {
    expect(backoffAfter(fault('throttled', 17), 1, 0)).toBe(17);
    expect(backoffAfter(fault('throttled', 1e9), 1, 0)).toBe(3600);
    expect(backoffAfter(fault('throttled', 1), 20, 0)).toBe(60);
  });

  it('the backoff after a failure is shortened by up to a quarter at random', () => {
    expect(backoffAfter(fault('unavailable'), 20, 1)).toBe(45);
  });
});
