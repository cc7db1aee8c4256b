import { describe, expect, it } from 'vitest';
import { type CrawlOutcome } from '@registrar/contracts';
import fc from 'fast-check';
import { isNewer, type AppliedSequences } from './crawl-order.ts';

const none: AppliedSequences = { crawled: 0, deleted: 0, failed: 0, unchanged: 0 };
type Outcome = CrawlOutcome['outcome'];
const outcome = fc.constantFrom<Outcome>('crawled', 'deleted', 'failed');
const arrivals = fc.array(fc.record({ outcome, sequence: fc.integer({ min: 1, max: 9 }) }));

/** The sequences after these outcomes have arrived, one after the other. */
const applied = (all: readonly { outcome: Outcome; sequence: number }[]) =>
  all.reduce<AppliedSequences>(
    (before, { outcome, sequence }) =>
      isNewer(outcome, sequence, before) ? { ...before, [outcome]: sequence } : before,
    none,
  );

describe('the order of crawls', () => {
  it('applies the newest outcome of each kind, in any order and with any repetition', () => {
    const schedules = arrivals.chain((all) =>
      fc.record({
        all: fc.constant(all),
        again: fc.subarray(all).chain((some) => {
          const everything = [...all, ...some];
          return fc.shuffledSubarray(everything, { minLength: everything.length });
        }),
      }),
    );
    fc.assert(
      fc.property(schedules, ({ all, again }) => {
        const newest = (kind: Outcome) =>
          Math.max(0, ...all.filter((each) => each.outcome === kind).map((each) => each.sequence));
        const expected = {
          crawled: newest('crawled'),
          deleted: newest('deleted'),
          failed: newest('failed'),
          unchanged: 0,
        };
        expect(applied(all)).toEqual(expected);
        expect(applied(again)).toEqual(expected);
      }),
    );
  });

  it('ignores outcomes that are older than a sweep that found the registration unchanged', () => {
    const applied = { ...none, crawled: 3, unchanged: 7 };
    for (const kind of ['crawled', 'deleted', 'failed'] as const) {
      expect(isNewer(kind, 7, applied)).toBe(false);
      expect(isNewer(kind, 8, applied)).toBe(true);
    }
  });
});
