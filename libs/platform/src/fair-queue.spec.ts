import { afterEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '@registrar/contracts';
import { clock } from './clock.ts';
import { runInRequestContext } from './request-context.ts';
import { FairQueue, type Owner } from './fair-queue.ts';
import { limits, newQueue, owner, startWork } from './fair-queue.fixture.ts';

describe('a fair queue', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    clock.reset();
  });

  it('begins the work of another realm although one realm has much waiting', async () => {
    const queue = newQueue();
    const { begun, add, end } = startWork(queue);
    const flood = ['f1', 'f2', 'f3', 'f4', 'f5'].map((name) => add(name, owner(1)));
    const other = add('other', owner(2));
    await end('');
    expect(begun).toEqual(['f1', 'other']);
    expect([queue.waitingOf(1), queue.waitingOf(2)]).toEqual([4, 0]);
    expect([queue.waitingRealms(1), queue.waitingRealms(2)]).toEqual([0, 1]);
    await end('other');
    await other;
    for (const name of ['f1', 'f2', 'f3', 'f4', 'f5']) await end(name);
    await Promise.all(flood);
    expect(begun).toEqual(['f1', 'other', 'f2', 'f3', 'f4', 'f5']);
  });

  it('gives back the place of work that hangs, of so much at a time as its limit says', async () => {
    const queue = newQueue({ running: 1, hanging: 1 });
    const { begun, add, end } = startWork(queue);
    const hung = ['h1', 'h2'].map(() => Promise.withResolvers<() => void>());
    const ended = Promise.withResolvers<void>();
    const hanging = hung.map(({ resolve }) =>
      queue.run(owner(1), async (hang) => {
        resolve(hang);
        await ended.promise;
      }),
    );
    const other = add('other', owner(1));
    (await hung[0]!.promise)();
    (await hung[1]!.promise)();
    await end('');
    expect(begun).toEqual([]);
    ended.resolve();
    await Promise.all(hanging);
    await end('');
    expect(begun).toEqual(['other']);
    await end('other');
    await other;
    const next = add('next', owner(1));
    await end('');
    expect(begun).toEqual(['other', 'next']);
    await end('next');
    await next;
  });

  it('names hanging work as the cause of rejections of its realm, and of no other', async () => {
    const causes: string[] = [];
    const queue = new FairQueue(
      { ...limits, running: 3, waitingOfRealm: 1 },
      ({ cause, realmId }) => {
        causes.push(`${realmId} ${cause}`);
        return new Failure('overloaded', 'rejected');
      },
    );
    const { add, end } = startWork(queue);
    const begun = Promise.withResolvers<() => void>();
    const ended = Promise.withResolvers<void>();
    const hanging = queue.run(owner(1), async (hang) => {
      begun.resolve(hang);
      await ended.promise;
    });
    const running = add('running', owner(2));
    const waiting = [add('1', owner(1)), add('2', owner(2))];
    (await begun.promise)();
    await expect(add('excess', owner(1))).rejects.toThrow('rejected');
    await expect(add('excess', owner(2))).rejects.toThrow('rejected');
    ended.resolve();
    await hanging;
    const last = add('last', owner(1));
    await expect(add('excess', owner(1))).rejects.toThrow('rejected');
    expect(causes).toEqual(['1 hanging', '2 realm', '1 realm']);
    for (const name of ['running', '1', '2', 'last']) await end(name);
    await Promise.all([running, ...waiting, last]);
  });

  it('lets realms take turns, and within a realm its keys', async () => {
    const queue = newQueue({ running: 1 });
    const { begun, add, end } = startWork(queue);
    const all = [
      add('first', owner(1)),
      add('1a', owner(1)),
      add('1a2', owner(1)),
      add('1b', owner(1, 'b')),
      add('2', owner(2)),
      add('3', owner(3)),
    ];
    for (const name of ['first', '2', '3', '1b', '1a', '1a2']) {
      await end('');
      expect(begun.at(-1)).toBe(name);
      await end(name);
    }
    await Promise.all(all);
  });

  it('lets every key of a realm take its turn, although two of them always have work', async () => {
    const queue = newQueue({ running: 1, waitingOfRealm: 8 });
    const { begun, add, end } = startWork(queue);
    const all = [
      add('a1', owner(1, 'a')),
      add('b1', owner(1, 'b')),
      add('a2', owner(1, 'a')),
      add('b2', owner(1, 'b')),
      add('c1', owner(1, 'c')),
      add('a3', owner(1, 'a')),
    ];
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
      await end('');
      expect(begun.at(-1)).toBe(name);
      await end(name);
    }
    await Promise.all(all);
  });

  /** A key of little weight, such as a user's among those of a whole realm. */
  const light = (key: string): Owner => ({ ...owner(1, key), keyWeight: 1 / 8 });

  it('leaves places of a realm to its other keys while one key of little weight has much work', async () => {
    const queue = newQueue({
      running: 24,
      runningOfRealm: 'fewer than are free',
      waiting: 64,
      waitingOfRealm: 64,
    });
    const { begun, add, end } = startWork(queue);
    const names = Array.from({ length: 4 }, (_, index) => index);
    const flood = Array.from({ length: 12 }, (_, index) => add(`flood${index}`, light('a')));
    const others = names.map((name) => add(`b${name}`, light('b')));
    await end('');
    expect(begun.filter((name) => name.startsWith('flood'))).toHaveLength(8);
    expect(begun).toContain('b0');
    for (const each of [...begun]) await end(each);
    for (const each of begun.slice(8)) await end(each);
    await Promise.all([...flood, ...others]);
  });

  it('begins work of a key before that of a lighter one until it runs as much more as it weighs', async () => {
    const queue = newQueue({ running: 4, runningOfRealm: 4, waiting: 64, waitingOfRealm: 64 });
    const { begun, add, end } = startWork(queue);
    const names = Array.from({ length: 6 }, (_, index) => index);
    const first = ['s1', 's2', 's3', 's4'].map((name) => add(name, owner(1, 's')));
    const all = [
      ...names.map((name) => add(`light${name}`, light('a'))),
      ...names.map((name) => add(`whole${name}`, owner(1, 'b'))),
    ];
    for (const name of ['s1', 's2', 's3', 's4']) await end(name);
    expect(begun.slice(4)).toEqual(['whole0', 'whole1', 'whole2', 'whole3']);
    for (let index = 4; index < 16; index += 1) await end(begun[index]!);
    await Promise.all([...first, ...all]);
  });

  it('rejects the last work of the key with the most for its weight when a realm has too much waiting', async () => {
    const queue = newQueue({ waitingOfRealm: 4 });
    const { begun, add, end } = startWork(queue);
    const first = add('first', owner(1, 'b'));
    const flood = ['f1', 'f2', 'f3', 'f4'].map((name) => add(name, light('a')));
    const rejected = expect(flood[3]).rejects.toMatchObject({ code: 'over-limit' });
    const other = add('other', owner(1, 'b'));
    await rejected;
    for (const name of ['first', 'other', 'f1', 'f2', 'f3']) await end(name);
    await Promise.all([first, other, ...flood.slice(0, 3)]);
    expect(begun).toEqual(['first', 'other', 'f1', 'f2', 'f3']);
  });

  it('rejects work of a realm that has too much waiting, and goes on after failures', async () => {
    const queue = newQueue();
    const { begun, add, end } = startWork(queue);
    const flood = ['f1', 'f2', 'f3', 'f4', 'f5'].map((name) => add(name, owner(1)));
    await expect(add('f6', owner(1))).rejects.toMatchObject({ code: 'over-limit' });
    const broken = queue.run(owner(2), () => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
    const other = add('other', owner(2));
    await end('');
    expect(begun).toEqual(['f1', 'other']);
    for (const name of ['other', 'f1', 'f2', 'f3', 'f4', 'f5']) await end(name);
    await Promise.all([...flood, other]);
  });

  it('begins work at once in a free place, however much of other realms waits', async () => {
    const queue = newQueue({ running: 3 });
    const { begun, add, end } = startWork(queue);
    const names = ['1', '2', '3', '4', '5'];
    const floods = [1, 2].flatMap((realm) =>
      names.map((name) => add(`${realm}.${name}`, owner(realm))),
    );
    const other = add('other', owner(3));
    await end('');
    expect(begun).toEqual(['1.1', '2.1', 'other']);
    await end('other');
    await other;
    for (const name of names) {
      await end(`1.${name}`);
      await end(`2.${name}`);
    }
    await Promise.all(floods);
  });

  it('lets a realm wait for its turn in place of the last of the realm with the most', async () => {
    const queue = newQueue({ waiting: 5 });
    const { begun, add, end } = startWork(queue);
    const flood = (realm: number, names: readonly string[]) =>
      names.map((name) => add(name, owner(realm)));
    const first = flood(1, ['a', 'b', 'c', 'd']);
    const second = flood(2, ['e', 'f', 'g']);
    const other = add('other', owner(3));
    await expect(first[3]).rejects.toMatchObject({ code: 'overloaded' });
    expect([1, 2, 3].map((realm) => queue.waitingOf(realm))).toEqual([2, 2, 1]);
    // No realm has more waiting than this one would have.
    await expect(add('h', owner(2))).rejects.toMatchObject({ code: 'overloaded' });
    for (const name of ['a', 'e', 'other', 'b', 'f', 'c', 'g']) await end(name);
    await Promise.all([...first.slice(0, 3), ...second, other]);
    expect(begun).toHaveLength(7);
  });

  it('runs as much of each waiting realm as its weight says', async () => {
    const queue = newQueue({ running: 4, runningOfRealm: 4, waitingOfRealm: 8, waiting: 20 });
    const { begun, add, end } = startWork(queue);
    const heavy: Owner = { ...owner(1), weight: 3 };
    const names = Array.from({ length: 8 }, (_, index) => index);
    const first = ['s1', 's2', 's3', 's4'].map((name) => add(name, owner(3)));
    const all = [
      ...names.map((name) => add(`light${name}`, owner(2))),
      ...names.map((name) => add(`heavy${name}`, heavy)),
    ];
    for (const name of ['s1', 's2', 's3', 's4']) await end(name);
    const running = begun.slice(4);
    expect(running.filter((name) => name.startsWith('heavy'))).toHaveLength(3);
    expect(running.filter((name) => name.startsWith('light'))).toHaveLength(1);
    for (let index = 4; index < 20; index += 1) await end(begun[index]!);
    await Promise.all([...first, ...all]);
  });

  it('runs no more of a realm than its owner says', async () => {
    const queue = newQueue({ running: 8 });
    const { begun, add, end } = startWork(queue);
    const work = ['a', 'b', 'c'].map((name) => add(name, { ...owner(1), running: 2 }));
    await end('');
    expect(begun).toEqual(['a', 'b']);
    for (const name of ['a', 'b', 'c']) await end(name);
    await Promise.all(work);
  });

  it('runs no more of an account than it says, in all realms together, and lets others begin before', async () => {
    const queue = newQueue({ running: 8, runningOfRealm: 8 });
    const { begun, add, end } = startWork(queue);
    const at = (realmId: number, name: string): Owner => ({
      ...owner(realmId, name),
      accounts: [{ name, running: 1, waiting: 8 }],
    });
    const all = [
      add('a', at(1, 'x')),
      add('b', at(1, 'x')),
      add('c', at(2, 'x')),
      add('d', at(1, 'y')),
      add('e', owner(1)),
    ];
    await end('');
    expect(begun).toEqual(['a', 'd', 'e']);
    await end('d');
    expect(begun).toEqual(['a', 'd', 'e']);
    for (const name of ['a', 'c', 'b', 'e']) await end(name);
    await Promise.all(all);
    expect(begun.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it.each([
    { others: 'realms', who: 'another realm', other: owner(2), beside: ['other', 'a'] },
    { others: 'realms', who: 'its realm', other: owner(1, 'z'), beside: ['other', 'a', 'b'] },
    { others: 'keys', who: 'its realm', other: owner(1, 'z'), beside: ['other', 'a'] },
  ] as const)(
    'runs an account within its limit beside lighter $others while $who is active, and a second later',
    async ({ others, other, beside }) => {
      const queue = newQueue({ running: 8, runningOfRealm: 8 });
      const { begun, add, end } = startWork(queue);
      const account = { name: 'x', running: 2, besideLighter: { others, running: 1 }, waiting: 8 };
      const by = { ...owner(1, 'x'), accounts: [account] };
      const work = [add('other', other)];
      await end('other');
      work.push(add('a', by), add('b', by), add('c', by));
      await end('');
      expect(begun).toEqual(beside);
      clock.step(1_001);
      await end('a');
      const left = beside.length === 2 ? ['b', 'c'] : ['c'];
      expect(begun.slice(beside.length)).toEqual(left);
      for (const name of ['b', 'c']) await end(name);
      await Promise.all(work);
    },
  );

  it('lets a place of an account rest beside lighter ones for some times of what its work took, up to half a second', async () => {
    const queue = newQueue({ running: 8, runningOfRealm: 8 });
    const { begun, add, end } = startWork(queue);
    const besideLighter = { others: 'realms', running: 1, rest: 2 } as const;
    const by = {
      ...owner(1),
      accounts: [{ name: 'x', running: 1, besideLighter, waiting: 8 }],
    };
    // Time passes by steps alone.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const work = ['other', 'a', 'b', 'c', 'd'].map((name) =>
      add(name, name === 'other' ? owner(2) : by),
    );
    clock.step(100);
    await end('a');
    expect(begun).toEqual(['other', 'a']);
    clock.step(199);
    expect(begun).toEqual(['other', 'a']);
    clock.step(1);
    await end('');
    expect(begun).toEqual(['other', 'a', 'b']);
    clock.step(10_000);
    await end('b');
    clock.step(499);
    expect(begun).not.toContain('c');
    clock.step(1);
    await end('');
    expect(begun).toContain('c');
    for (const name of ['c', 'd', 'other']) await end(name);
    await Promise.all(work);
  });

  it('rejects work of an account that has too much waiting, and work that has waited too long for its account', async () => {
    const queue = newQueue({ running: 8, runningOfRealm: 8, maxWaitMs: 20 });
    const { begun, add, end } = startWork(queue);
    const by = { ...owner(1), accounts: [{ name: 'x', running: 1, waiting: 1 }] };
    const first = add('first', by);
    const second = add('second', by);
    await expect(add('third', by)).rejects.toMatchObject({ code: 'over-limit' });
    await expect(second).rejects.toMatchObject({ code: 'over-limit' });
    expect(begun).toEqual(['first']);
    await end('first');
    await first;
  });

  it('rejects work that has waited too long, and frees its place in the queue', async () => {
    const queue = newQueue({ running: 1, maxWaitMs: 20 });
    const { add, end } = startWork(queue);
    const first = add('first', owner(1));
    const second = add('second', owner(1));
    const other = add('other', owner(2));
    await expect(second).rejects.toMatchObject({ code: 'over-limit' });
    await expect(other).rejects.toMatchObject({ code: 'overloaded' });
    expect(queue.waiting).toBe(0);
    await end('first');
    await first;
  });

  it('never rejects work that is not optional because too much waits', async () => {
    const queue = newQueue({ running: 1, waitingOfRealm: 1 });
    const { begun, add, end } = startWork(queue);
    const work = [add('a', owner(1)), add('b', owner(1))];
    const more = ['c', 'd'].map((name) => add(name, owner(1), false));
    await expect(add('e', owner(1))).rejects.toMatchObject({ code: 'over-limit' });
    for (const name of ['a', 'b', 'c', 'd']) await end(name);
    await Promise.all([...work, ...more]);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets work that is not optional wait until its deadline', async () => {
    const queue = newQueue({ running: 1, maxWaitMs: 20 });
    const { begun, add, end } = startWork(queue);
    const first = add('first', owner(1));
    const later = add('later', owner(1), false);
    const endless = runInRequestContext({ requestId: 'x', deadline: null }, () =>
      add('endless', owner(1), false),
    );
    const late = runInRequestContext({ requestId: 'y', deadline: Date.now() + 40 }, () =>
      add('late', owner(1), false),
    );
    await expect(add('optional', owner(1))).rejects.toMatchObject({ code: 'over-limit' });
    await expect(late).rejects.toMatchObject({ code: 'over-limit' });
    for (const name of ['first', 'later', 'endless']) await end(name);
    await Promise.all([first, later, endless]);
    expect(begun).toEqual(['first', 'later', 'endless']);
  });
});
