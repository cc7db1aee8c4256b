import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNews, type KnownOutcomes } from './crawl-order.ts';

const nothing: KnownOutcomes = { crawled: 0, deleted: 0, failed: 0 };
const outcome = fc.constantFrom('crawled', 'deleted', 'failed');
const arrivals = fc.array(fc.record({ outcome, sequence: fc.integer({ min: 1, max: 9 }) }));

/** What is known after these have come, one after the other. */
const known = (all: readonly { outcome: keyof KnownOutcomes; sequence: number }[]) =>
  all.reduce<KnownOutcomes>(
    (before, { outcome, sequence }) =>
      isNews(outcome, sequence, before) ? { ...before, [outcome]: sequence } : before,
    nothing,
  );

describe('the order of crawls', () => {
  it('lets the newest outcome of each kind count, in whatever order and however often they come', () => {
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
        const newest = (kind: keyof KnownOutcomes) =>
          Math.max(0, ...all.filter((each) => each.outcome === kind).map((each) => each.sequence));
        const expected = {
          crawled: newest('crawled'),
          deleted: newest('deleted'),
          failed: newest('failed'),
        };
        expect(known(all)).toEqual(expected);
        expect(known(again)).toEqual(expected);
      }),
    );
  });
});
