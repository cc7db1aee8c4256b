import { describe, expect, it } from '@jest/globals';
import { NotBegun, WaitingLine } from './waiting-line.ts';

/** Work that stays until it is let go. */
function held(count: number) {
  const begun: number[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const works = Array.from({ length: count }, (_work, index) => async () => {
    begun.push(index);
    await released;
    return index;
  });
  return { begun, works, release };
}

describe('a waiting line', () => {
  it('begins 64 at a time, in order, and the others as places become free', async () => {
    const line = new WaitingLine();
    const { begun, works, release } = held(200);
    const all = Promise.all(works.map((work) => line.run(work)));
    expect(begun).toHaveLength(64);
    release();
    expect(await all).toEqual(Array.from({ length: 200 }, (_work, index) => index));
    expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  });

  it('turns away what finds it full', async () => {
    const line = new WaitingLine();
    const { works, release } = held(64 + 2_000);
    const all = Promise.all(works.map((work) => line.run(work)));
    await expect(line.run(async () => 'more')).rejects.toMatchObject({ code: 'overloaded' });
    release();
    await all;
    expect(await line.run(async () => 'later')).toBe('later');
  });

  it('goes on after work that failed', async () => {
    const line = new WaitingLine();
    const failing = Array.from({ length: 100 }, () =>
      line.run(() => Promise.reject(new Error('a defect'))),
    );
    expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(
      true,
    );
    expect(await line.run(async () => 'next')).toBe('next');
  });

  it('sends away what waits when it closes, and is drained when the rest is done', async () => {
    const line = new WaitingLine();
    const { begun, works, release } = held(70);
    const all = Promise.allSettled(works.map((work) => line.run(work)));
    line.close();
    await expect(line.run(async () => 'late')).rejects.toBeInstanceOf(NotBegun);
    const drained = line.drained();
    release();
    await drained;
    const outcomes = await all;
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
    expect(begun).toHaveLength(64);
    await line.drained();
  });
});
