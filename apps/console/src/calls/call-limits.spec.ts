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

  it('more than 16 calls of a session at a time wait, and more than 32 that wait are refused', async () => {
    const limits = new CallLimits();
    const end = Promise.withResolvers<string>();
    let begun = 0;
    const call = () =>
      limits.run('a', () => {
        begun += 1;
        return end.promise;
      });
    const made = Array.from({ length: 48 }, call);
    expect(begun).toBe(16);
    await expect(call()).rejects.toMatchObject(overLimit);
    expect(await limits.run('b', async () => 'made')).toBe('made');
    end.resolve('ended');
    expect(await Promise.all(made)).toEqual(Array.from({ length: 48 }, () => 'ended'));
  });

  it('a session makes 3 calls at a time while another one is active', async () => {
    const limits = new CallLimits();
    await limits.run('b', async () => 'made');
    const end = Promise.withResolvers<string>();
    let begun = 0;
    const made = Array.from({ length: 5 }, () =>
      limits.run('a', () => {
        begun += 1;
        return end.promise;
      }),
    );
    expect(begun).toBe(3);
    end.resolve('ended');
    await Promise.all(made);
  });

  it('calls beyond what all sessions may have waiting are refused, of the sessions with the most', async () => {
    const limits = new CallLimits();
    const end = Promise.withResolvers<string>();
    const call = (session: string) =>
      limits.run(session, () => end.promise).catch((error: unknown) => error);
    const busy = Array.from({ length: 20 }, (_, session) =>
      Array.from({ length: 48 }, () => call(String(session))),
    ).flat();
    const other = Array.from({ length: 4 }, () => call('other'));
    end.resolve('ended');
    const refused = (await Promise.all(busy)).filter((outcome) => outcome !== 'ended');
    expect(refused).toHaveLength(20 * 48 + 4 - 256 - 256);
    expect(refused).toEqual(
      refused.map(() => expect.objectContaining({ code: 'overloaded', retryAfterSeconds: 1 })),
    );
    expect(await Promise.all(other)).toEqual(['ended', 'ended', 'ended', 'ended']);
  });
});
