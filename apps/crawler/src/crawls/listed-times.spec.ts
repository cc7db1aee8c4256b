import { describe, expect, it } from 'vitest';
import { timeRangeOf } from './listed-times.ts';

const at = (text: string) => new Date(`2026-03-01T${text}Z`);

describe('the times of a crawl', () => {
  const changes = {
    kind: 'changed-registrations',
    windowAt: at('12:00:30'),
    window: null,
  } as const;

  it('overlap the previous crawl of changes by five minutes, from a whole second on', () => {
    expect(timeRangeOf(changes)).toEqual({ since: at('11:55:30'), byUpdated: true });
  });

  it('the times of a crawl have no beginning for the first crawl, and for sweeps', () => {
    expect(timeRangeOf({ ...changes, windowAt: null })).toEqual({});
    expect(timeRangeOf({ ...changes, kind: 'all-registrations' })).toEqual({});
  });

  it('the times of a crawl are those of a window', () => {
    const window = { id: 1, since: at('13:00:00'), until: at('14:00:00') };
    const { since, until } = window;
    expect(timeRangeOf({ ...changes, window })).toEqual({ since, until, byUpdated: true });
    expect(timeRangeOf({ ...changes, windowAt: null, window })).toEqual({ since, until });
    const last = { id: 2, since, until: null };
    expect(timeRangeOf({ ...changes, kind: 'all-registrations', window: last })).toEqual({ since });
  });
});
