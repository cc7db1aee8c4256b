import { clock } from '@registrar/platform';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CallLimits } from './call-limits.ts';

describe('the limits of calls', () => {
  afterEach(() => void vi.restoreAllMocks());

  const overLimit = { code: 'over-limit', retryAfterSeconds: 1 };

  it('calls of a session beyond its rate have to wait, and those of others have not', () => {
    let now = 0;
    vi.spyOn(clock, 'monotonic').mockImplementation(() => now);
    const limits = new CallLimits();
    const waits = Array.from({ length: 100 }, () => limits.count('a'));
    expect(new Set(waits)).toEqual(new Set([0]));
    expect([limits.count('a'), limits.count('b')]).toEqual([1, 0]);
    now = 50;
    expect([limits.count('a'), limits.count('a')]).toEqual([0, 1]);
  });

  it('more than 16 calls of a session at a time are refused, and those of others are made', async () => {
    const limits = new CallLimits();
    const end = Promise.withResolvers<string>();
    const running = Array.from({ length: 16 }, () => limits.run('a', () => end.promise));
    await expect(limits.run('a', async () => 'made')).rejects.toMatchObject(overLimit);
    expect(await limits.run('b', async () => 'made')).toBe('made');
    end.resolve('ended');
    expect(await Promise.all(running)).toEqual(Array.from({ length: 16 }, () => 'ended'));
    expect(await limits.run('a', async () => 'made')).toBe('made');
  });
});
