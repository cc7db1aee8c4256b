import { describe, expect, it } from 'vitest';
import { BodyMemory } from './body-memory.ts';
import type { BodyOwner } from './parse-turns.ts';

const mebibyte = 1024 * 1024;
/** The first 64 KiB of each body are free. */
const free = 64 * 1024;
const of = (realmId: number, key = 'a'): BodyOwner => ({ realmId, key });
const overloaded = expect.objectContaining({ code: 'overloaded' });
const overLimit = expect.objectContaining({ code: 'over-limit' });

describe('the memory of bodies', () => {
  const take = (memory: BodyMemory, owner: BodyOwner, size: number) => {
    const allowance = memory.open(owner);
    allowance.take(size * mebibyte + free);
    return allowance;
  };

  it('the memory of bodies is divided among realms, and given back', () => {
    const memory = new BodyMemory();
    const taken = ['a', 'b', 'c'].map((key, at) => take(memory, of(1, key), [10, 3, 1][at]!));
    expect(() => take(memory, of(1, 'd'), 2)).toThrow(overLimit);
    taken.push(take(memory, of(2), 6));
    expect(() => take(memory, of(3), 5)).toThrow(overloaded);
    for (const each of [...taken, ...taken]) each.release();
    for (const key of ['a', 'b']) take(memory, of(3, key), 5);
  });

  it('the memory of bodies that one key takes leaves some to the other keys of its realm', () => {
    const memory = new BodyMemory();
    take(memory, of(1, 'a'), 8);
    expect(() => take(memory, of(1, 'a'), 3)).toThrow(overLimit);
    take(memory, of(1, 'b'), 5);
  });

  it('always has room for a small body', () => {
    const memory = new BodyMemory();
    for (const realm of [1, 2, 3, 4]) take(memory, of(realm), 10 * (2 / 3) ** (realm - 1));
    for (let bodies = 0; bodies < 1_000; bodies += 1) memory.open(of(1)).take(free);
  });
});
