import { describe, expect, it } from 'vitest';
import { clock } from './clock.ts';
import { RecentHolders } from './queue-accounts.ts';

const holder = (key: string) => ({ realmId: 1, key });

/** Remembers holders of so much work, in this order. */
function remember(work: Readonly<Record<string, number>>) {
  const recent = new RecentHolders();
  const workOf = ({ key }: { readonly key: string }) => work[key] ?? 0;
  for (const key of Object.keys(work)) recent.note(key, holder(key));
  return {
    recent,
    hasLighter: (key: string) => recent.hasLighter(key, holder(key), workOf),
  };
}

describe('somebody with less work', () => {
  it('somebody alone has none', () => {
    expect(remember({ a: 8 }).hasLighter('a')).toBe(false);
  });

  it('another one with at most half as much counts, one with more does not', () => {
    const { hasLighter } = remember({ a: 8, b: 4, c: 3 });
    expect(['a', 'b', 'c'].map(hasLighter)).toEqual([true, false, false]);
  });

  it('another one without work counts for a second', () => {
    const { recent, hasLighter } = remember({ a: 8, b: 0 });
    expect(hasLighter('a')).toBe(true);
    clock.step(1_001);
    recent.note('a', holder('a'));
    expect(hasLighter('a')).toBe(false);
  });

  it('another one with work counts however long it takes', () => {
    const { hasLighter } = remember({ a: 8, b: 1 });
    clock.step(60_000);
    expect(hasLighter('a')).toBe(true);
  });

  it('the least recent of more than 64 is forgotten', () => {
    const many = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`many-${at}`, 8]));
    const { hasLighter } = remember({ light: 0, ...many });
    expect(hasLighter('many-0')).toBe(false);
  });
});
