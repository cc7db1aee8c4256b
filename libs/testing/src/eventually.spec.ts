import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('returns the first truthy value', async () => {
    const values = [null, false, 0, 'ready', 'too late'];
    expect(await eventually('a value arrives', () => values.shift(), { intervalMs: 1 })).toBe(
      'ready',
    );
  });

  it('polls again after a read that throws', async () => {
    let reads = 0;
    const read = () => {
      reads += 1;
      expect(reads).toBe(3);
      return true;
    };
    await eventually('the third read', read, { intervalMs: 1 });
    expect(reads).toBe(3);
  });

  it('fails after the time-out with the condition and the last value', async () => {
    await expect(
      eventually('the queue is empty', () => null, { timeoutMs: 30, intervalMs: 1 }),
    ).rejects.toThrow('timed out after 30 ms waiting until the queue is empty; last value: null');
  });

  it('fails after the time-out with the last error', async () => {
    const read = () => Promise.reject(new Error('no connection'));
    await expect(eventually('it connects', read, { timeoutMs: 30 })).rejects.toThrow(
      'timed out after 30 ms waiting until it connects; last error: no connection',
    );
  });

  it('fails after the time-out when a read never returns', async () => {
    const read = () => new Promise<never>(() => undefined);
    await expect(eventually('it answers', read, { timeoutMs: 30 })).rejects.toThrow(
      'waiting until it answers; the first read did not return',
    );
  });
});
