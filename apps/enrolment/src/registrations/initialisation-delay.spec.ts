import { describe, expect, it } from '@jest/globals';
import { initialisationDelay } from './initialisation-delay.ts';

describe('initialisationDelay', () => {
  const after = (attempts: number, refused: boolean, retryAfter: number | null = null) =>
    initialisationDelay({ attempts, refused, retryAfter });

  it('doubles up to 15 minutes after transient errors', () => {
    const delays = [1, 2, 3, 8, 9, 500].map((attempts) => after(attempts, false));
    expect(delays).toEqual([5, 10, 20, 640, 900, 900]);
  });

  it('doubles from 5 minutes up to 6 hours after refusals', () => {
    const delays = [1, 2, 7, 8, 500].map((attempts) => after(attempts, true));
    expect(delays).toEqual([300, 600, 19_200, 21_600, 21_600]);
  });

  it('is never shorter than the provider’s Retry-After', () => {
    expect(after(1, false, 60)).toBe(60);
    expect(after(9, false, 60)).toBe(900);
  });
});
