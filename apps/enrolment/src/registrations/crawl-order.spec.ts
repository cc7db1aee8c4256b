import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNewer, type AppliedSequences } from './crawl-order.ts';

const none: AppliedSequences = { crawled: 0, deleted: 0, failed: 0 };
const outcome = fc.constantFrom('crawled', 'deleted', 'failed');
const arrivals = fc.array(fc.record({ outcome, sequence: fc.integer({ min: 1, max: 9 }) }));

/** The sequences after these outcomes have arrived, one after the other. */
const applied = (all: readonly { outcome: keyof AppliedSequences; sequence: number }[]) =>
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
        const newest = (kind: keyof AppliedSequences) =>
          Math.max(0, ...all.filter((each) => each.outcome === kind).map((each) => each.sequence));
        const expected = {
          crawled: newest('crawled'),
          deleted: newest('deleted'),
          failed: newest('failed'),
        };
        expect(applied(all)).toEqual(expected);
        expect(applied(again)).toEqual(expected);
      }),
    );
  });
});
