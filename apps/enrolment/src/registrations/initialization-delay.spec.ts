import { describe, expect, it } from 'vitest';
import { initializationDelay } from './initialization-delay.ts';

describe('initializationDelay', () => {
  const after = (attempts: number, refused: boolean, retryAfter: number | null = null) =>
    initializationDelay({ attempts, refused, retryAfter });

  it('doubles up to 5 minutes after transient errors', () => {
    const delays = [1, 2, 3, 6, 7, 500].map((attempts) => after(attempts, false));
    expect(delays).toEqual([5, 10, 20, 160, 300, 300]);
  });

  it('doubles from 15 seconds up to 5 minutes after refusals', () => {
    const delays = [1, 2, 5, 6, 500].map((attempts) => after(attempts, true));
    expect(delays).toEqual([15, 30, 240, 300, 300]);
  });

  it('initializationDelay is never shorter than the provider’s Retry-After', () => {
    expect(after(1, false, 60)).toBe(60);
    expect(after(9, false, 60)).toBe(300);
  });
});
