import { describe, expect, it, vi } from 'vitest';
import { Failure } from '@registrar/contracts';
import { runInRequestContext } from '@registrar/platform';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

const unavailable = new Failure('unavailable', 'identity is not running');
const withinTime = (milliseconds: number, send: () => Promise<string>) =>
  runInRequestContext({ requestId: 'r', deadline: Date.now() + milliseconds }, () =>
    retryWhileUnavailable(send),
  );

describe('retryWhileUnavailable', () => {
  it('repeats a request to an unavailable service until it succeeds', async () => {
    const send = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(unavailable)
      .mockResolvedValue('yes');
    expect(await withinTime(60_000, send)).toBe('yes');
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('fails with the last failure at the deadline', async () => {
    await expect(withinTime(100, () => Promise.reject(unavailable))).rejects.toBe(unavailable);
  });

  it('retryWhileUnavailable does not repeat a request after a failure that is not retriable', async () => {
    const invalid = new Failure('invalid', 'no');
    const send = vi.fn<() => Promise<string>>().mockRejectedValue(invalid);
    await expect(withinTime(60_000, send)).rejects.toBe(invalid);
    expect(send).toHaveBeenCalledTimes(1);
  });
});
