import { afterEach, describe, expect, it } from 'vitest';
import { clock } from './clock.ts';
import { endsWithin } from './ends-within.ts';

describe('endsWithin', () => {
  afterEach(() => clock.reset());

  it('returns true as soon as the work has ended', async () => {
    expect(await endsWithin(Promise.resolve('done'), 600_000)).toBe(true);
  });

  it('returns false when the time is over', async () => {
    const ended = endsWithin(new Promise(() => undefined), 600_000);
    clock.step(600_000);
    expect(await ended).toBe(false);
  });

  it('throws the error of the work', async () => {
    const error = new Error('it failed');
    await expect(endsWithin(Promise.reject(error), 600_000)).rejects.toBe(error);
  });
});
