import { describe, expect, it } from 'vitest';
import { Failure } from '@registrar/contracts';
import { newQueue, owner, startWork } from './fair-queue.fixture.ts';

describe('the room of a fair queue', () => {
  it('rejects work before it is prepared, as soon as its realm has no room left', async () => {
    const queue = newQueue();
    const { begun, add, end } = startWork(queue);
    const flood = ['f1', 'f2', 'f3', 'f4'].map((name) => add(name, owner(1)));
    expect(() => queue.requireRoom(owner(1))).not.toThrow();
    flood.push(add('f5', owner(1)));
    expect(() => queue.requireRoom(owner(1))).toThrow(Failure);
    expect(() => queue.requireRoom(owner(2))).not.toThrow();
    await end('');
    await end('f1');
    expect(() => queue.requireRoom(owner(1))).not.toThrow();
    for (const name of ['f2', 'f3', 'f4', 'f5']) await end(name);
    await Promise.all(flood);
    expect(begun).toEqual(['f1', 'f2', 'f3', 'f4', 'f5']);
  });

  it('leaves room to a key that has less work waiting, for its weight, than another of its realm', async () => {
    const queue = newQueue({ waitingOfRealm: 3 });
    const { add, end } = startWork(queue);
    const works = ['a1', 'a2', 'a3'].map((name) => add(name, owner(1, 'a')));
    works.push(add('b1', owner(1, 'b')));
    // Of a and b wait two and one: another of b would be one of two.
    expect(() => queue.requireRoom(owner(1, 'a'))).toThrow(Failure);
    expect(() => queue.requireRoom(owner(1, 'b'))).toThrow(Failure);
    expect(() => queue.requireRoom(owner(1, 'c'))).not.toThrow();
    expect(() => queue.requireRoom({ ...owner(1, 'b'), keyWeight: 2 })).not.toThrow();
    for (const name of ['', 'a1', 'b1', 'a2', 'a3']) await end(name);
    await Promise.all(works);
  });

  it('leaves out work that must not be rejected', async () => {
    const queue = newQueue();
    const { add, end } = startWork(queue);
    const names = ['f1', 'f2', 'f3', 'f4', 'f5', 'f6'];
    const works = names.map((name) => add(name, owner(1), false));
    expect(() => queue.requireRoom(owner(1))).not.toThrow();
    for (const name of ['', ...names]) await end(name);
    await Promise.all(works);
  });
});
