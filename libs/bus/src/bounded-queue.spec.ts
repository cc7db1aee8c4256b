import { describe, expect, it } from 'vitest';
import { RejectedBeforeStart, BoundedQueue } from './bounded-queue.ts';

/** Creates work that does not end before `release()`. */
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

describe('a bounded queue', () => {
  it('runs 64 at a time and starts the others in order', async () => {
    const queue = new BoundedQueue();
    const { begun, works, release } = held(200);
    const all = Promise.all(works.map((work) => queue.run(work)));
    expect(begun).toHaveLength(64);
    release();
    expect(await all).toEqual(Array.from({ length: 200 }, (_work, index) => index));
    expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  });

  it('starts urgent work before other work that waits, also when that is rejected', async () => {
    const queue = new BoundedQueue();
    const { begun, works, release } = held(64 + 2_000);
    const all = Promise.all(works.map((work) => queue.run(work)));
    const urgent = queue.run(async () => begun.push(-1), 'urgent');
    await expect(queue.run(async () => 'more')).rejects.toMatchObject({ code: 'overloaded' });
    release();
    await Promise.all([all, urgent]);
    expect(begun[64]).toBe(-1);
  });

  it('rejects work as overloaded when it is full', async () => {
    const queue = new BoundedQueue();
    const { works, release } = held(64 + 2_000);
    const all = Promise.all(works.map((work) => queue.run(work)));
    await expect(queue.run(async () => 'more')).rejects.toMatchObject({ code: 'overloaded' });
    release();
    await all;
    expect(await queue.run(async () => 'later')).toBe('later');
  });

  it('starts the next work after one that failed', async () => {
    const queue = new BoundedQueue();
    const failing = Array.from({ length: 100 }, () =>
      queue.run(() => Promise.reject(new Error('a defect'))),
    );
    expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(
      true,
    );
    expect(await queue.run(async () => 'next')).toBe('next');
  });

  it('rejects waiting and new work after close(), and drains when running work has ended', async () => {
    const queue = new BoundedQueue();
    const { begun, works, release } = held(70);
    const all = Promise.allSettled(works.map((work) => queue.run(work)));
    queue.close();
    await expect(queue.run(async () => 'late')).rejects.toBeInstanceOf(RejectedBeforeStart);
    const drained = queue.drained();
    release();
    await drained;
    const outcomes = await all;
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
    expect(begun).toHaveLength(64);
    await queue.drained();
  });
});
