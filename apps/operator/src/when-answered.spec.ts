import { describe, expect, it, jest } from '@jest/globals';
import { Failure } from '#libs/contracts';
import { runOperation } from '#libs/platform';
import { whenAnswered } from './when-answered.ts';

const away = new Failure('unavailable', 'nobody answers for identity');
const withinTime = (milliseconds: number, ask: () => Promise<string>) =>
  runOperation({ requestId: 'r', deadline: Date.now() + milliseconds }, () => whenAnswered(ask));

describe('a service that has not started', () => {
  it('is asked again until it answers', async () => {
    const ask = jest
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(away)
      .mockResolvedValue('yes');
    expect(await withinTime(60_000, ask)).toBe('yes');
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('is given up at the deadline', async () => {
    await expect(withinTime(100, () => Promise.reject(away))).rejects.toBe(away);
  });

  it('is not asked again when it has refused', async () => {
    const refusal = new Failure('invalid', 'no');
    const ask = jest.fn<() => Promise<string>>().mockRejectedValue(refusal);
    await expect(withinTime(60_000, ask)).rejects.toBe(refusal);
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
