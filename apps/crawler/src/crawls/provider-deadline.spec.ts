import { describe, expect, it } from 'vitest';
import { providerDeadline } from './provider-deadline.ts';

describe('the deadline of requests to a provider', () => {
  it('reserves a fifth of the remaining time for the reply, at most one second', () => {
    expect(providerDeadline(1_000, 1_000)).toBe(1_800);
    expect(providerDeadline(1_000, 30_000)).toBe(30_000);
  });
});
