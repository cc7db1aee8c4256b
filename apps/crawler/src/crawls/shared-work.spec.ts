import { describe, expect, it } from '@jest/globals';
import { SharedWork } from './shared-work.ts';

/** Work that ends when the suite says so. */
function startWork() {
  const shared = new SharedWork<number>();
  const begun: PromiseWithResolvers<number>[] = [];
  const ask = (key = 'a') =>
    shared.do(key, () => {
      const work = Promise.withResolvers<number>();
      begun.push(work);
      return work.promise;
    });
  /** Resolves when the work has begun so many times. */
  const beganTimes = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => (begun.length >= count ? resolve() : setImmediate(look));
      look();
    });
  return { ask, begun, beganTimes };
}

describe('shared work', () => {
  it('is done once more for all who ask while it is being done', async () => {
    const { ask, begun, beganTimes } = startWork();
    const first = ask();
    const later = [ask(), ask(), ask()];
    expect(begun).toHaveLength(1);
    begun[0]?.resolve(1);
    expect(await first).toBe(1);
    await beganTimes(2);
    begun[1]?.resolve(2);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
    expect(begun).toHaveLength(2);
  });

  it('is done anew when nothing is under way, and apart for each key', async () => {
    const { ask, begun } = startWork();
    const [one, other] = [ask('a'), ask('b')];
    begun[0]?.resolve(1);
    begun[1]?.resolve(2);
    expect([await one, await other]).toEqual([1, 2]);
    const again = ask('a');
    begun[2]?.resolve(3);
    expect(await again).toBe(3);
  });

  it('fails for those who share it alone', async () => {
    const { ask, begun, beganTimes } = startWork();
    const [first, second] = [ask(), ask()];
    begun[0]?.reject(new Error('it broke'));
    await expect(first).rejects.toThrow('it broke');
    await beganTimes(2);
    begun[1]?.resolve(2);
    expect(await second).toBe(2);
  });

  it('does not wait long for the same work before it, which may hang', async () => {
    const { ask, begun, beganTimes } = startWork();
    const hanging = ask();
    const next = ask();
    await beganTimes(2);
    begun[1]?.resolve(2);
    expect(await next).toBe(2);
    begun[0]?.resolve(1);
    expect(await hanging).toBe(1);
  });
});
