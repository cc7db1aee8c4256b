import { describe, expect, it } from 'vitest';
import { divideList } from './divide-list.ts';

const first = new Date('2026-03-01T12:00:00.250Z');
const later = (seconds: number) => new Date(first.getTime() + seconds * 1_000);
const open = { since: null, until: null, first };

describe('divideList', () => {
  it('leaves a list of up to twice the size as it is', () => {
    expect(divideList({ ...open, last: later(3_600), total: 200 }, 100)).toEqual([
      { since: null, until: null },
    ]);
  });

  it('divides a longer list into windows of equal length, without a gap', () => {
    expect(divideList({ ...open, last: later(3_000), total: 300 }, 100)).toEqual([
      { since: null, until: new Date('2026-03-01T12:16:40Z') },
      { since: new Date('2026-03-01T12:16:40Z'), until: new Date('2026-03-01T12:33:20Z') },
      { since: new Date('2026-03-01T12:33:20Z'), until: null },
    ]);
  });

  it('keeps the ends of a window that is divided', () => {
    const window = { since: first, until: later(60), first, last: later(60) };
    const windows = divideList({ ...window, total: 1_000 }, 400);
    expect(windows).toHaveLength(3);
    expect(windows.at(0)?.since).toEqual(first);
    expect(windows.at(-1)?.until).toEqual(later(60));
  });

  it('makes at most 32 windows, and none under a second', () => {
    expect(divideList({ ...open, last: later(3_600), total: 1e9 }, 100)).toHaveLength(32);
    expect(divideList({ ...open, last: later(3), total: 1e9 }, 100)).toHaveLength(3);
    expect(divideList({ ...open, last: later(1), total: 1e9 }, 100)).toHaveLength(1);
    expect(divideList({ ...open, last: later(-9), total: 1e9 }, 100)).toHaveLength(1);
  });
});
